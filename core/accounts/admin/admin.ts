import { type CallRows, makeCalls } from '../../check-arguments.ts';
import type { DayStatistics } from '../../daily-statistics.ts';
import type { Lines } from '../../import-lines.ts';
import { CALL, FLAG, LINES, list, nullable, OBJECT, object, TEXT } from '../../schema.ts';
import { OPTIONAL_TEXT } from '../argument-schemas.ts';
import type { Deps } from '../deps.ts';
import type { DirectoryStats } from '../directory.ts';
import type { OperatorRole } from '../entitlement.ts';
import type { AuditValue } from '../outbox-entries.ts';
import type { IdentityName } from '../providers/link-identity.ts';
import type { SessionView } from '../sessions/list-and-end.ts';
import {
  type AdminActionResult,
  type Operator,
  operatorInput,
  type ReasoningOperator,
} from './admin-action.ts';
import { type AuditCheck, makeShowAuditCheck, makeStartAuditCheck } from './background-audit-check.ts';
import { type BoundIdentity, makeBindIdentities } from './bind-identities.ts';
import { type CreateUserInput, createUserInput, makeCreateUser } from './create-user.ts';
import { makeDeleteUser, type Receipt } from './delete-user.ts';
import { makeExportUser, type UserExport } from './export-user.ts';
import { findEmails, findUser } from './find-user.ts';
import {
  makeImportUsers,
  type UserImportCounts,
  type UserImportOptions,
  userImportOptions,
} from './import-users.ts';
import {
  type ListedMail,
  type ListMailsByStateInput,
  listMailsByStateInput,
  type MailPage,
  makeListMails,
  makeListMailsByState,
  makeListMailsOf,
  makeRetryMails,
} from './list-and-retry-mails.ts';
import {
  type AuditLine,
  type AuditPage,
  type ListAuditBackInput,
  type ListAuditInput,
  listAuditBackInput,
  listAuditInput,
  makeListAudit,
  makeListAuditBack,
} from './list-audit.ts';
import {
  type DirectoryPage,
  type ListDirectoryInput,
  listDirectoryInput,
  makeListDirectory,
} from './list-directory.ts';
import { makeNoteView, makeRecord, makeRecordWork, type RecordedWork } from './record-work-in-audit.ts';
import {
  makeCountSealed,
  makeFindSealedKeys,
  makeResealSecrets,
  type ResealedSecrets,
  type SealedKeys,
} from './reseal-secrets.ts';
import type { RestrictInput } from './restrict-user.ts';
import { makeShowUser, type ShownUser } from './show-user.ts';
import { type ListStatisticsInput, listStatisticsInput, makeListStatistics } from './take-statistics.ts';
import type { SetTierInput, SetTierResult } from './tier-and-role.ts';
import { makeUserActions, type UserActionName } from './user-actions.ts';
import { makeListUserSessions } from './user-sessions.ts';
import { type AuditVerdict, makeVerifyAudit } from './verify-audit.ts';

/**
 * The actions of operators. `user` is an id or an email; every call with a `user` throws `missing` (`user_not_found`)
 * and `invalid` (`invalid_email`). A call with `by`, except `noteView`, is audited under that actor, and throws `invalid`
 * (`invalid_reason`, `invalid_person`); a call that changes a user throws `conflict` (`changed_meanwhile`) if `by.seen`
 * no longer equals the user's `updatedAt`. A change without effect writes nothing and returns `changed: false`.
 *
 * Where `by.actor` is the id of an account, its owner cannot ban, disable, appoint, dismiss or delete themselves or
 * reset their own second factor (`conflict`, `own_account`), and nobody can remove the last founder (`last_founder`). Most
 * actions on a founder require a founder as the actor (`forbidden`, `operators_only`): `user-actions.ts` says which.
 */
export interface Admin {
  /** The id and email of a user. */
  findUser(user: string): Promise<{ readonly id: string; readonly email: string }>;
  /** The emails of users by id. Names that are no ids, and ids without an account, are left out. */
  findEmails(names: readonly (string | null)[]): Promise<Readonly<Record<string, string>>>;
  /** Counts of users. A large store may return counts that are up to a minute old. */
  stats(): Promise<DirectoryStats>;
  /**
   * Lists users by the beginning of their email, else newest first, a page at a time. A search without an index ends
   * after `readsPerSearch` users. Throws `invalid` (`invalid_prefix`, `invalid_email`, `unknown_tier`, `invalid_cursor`).
   */
  listDirectory(filter: ListDirectoryInput): Promise<DirectoryPage>;
  /** A summary of a user for operators. */
  showUser(user: string): Promise<ShownUser>;
  /**
   * Creates an account without a password. Throws `invalid` (`invalid_email`, `invalid_display_name`,
   * `email_not_verified`), `conflict` (`email_taken`) and `throttled` (`too_many_code_mails`).
   */
  createUser(input: CreateUserInput, by: Operator): Promise<AdminActionResult>;
  /** Gathers all stored data about a user (GDPR article 15). The export itself is audited, too. */
  exportUser(user: string, by: Operator): Promise<UserExport>;
  /**
   * Imports users, one JSON object a line; undefined stands for a line that cannot be read. Existing accounts stay as
   * they are, so an interrupted import can simply be repeated. Memory use does not grow with the number of lines.
   */
  importUsers(lines: Lines, options: UserImportOptions, by: Operator): Promise<UserImportCounts>;
  /**
   * Binds imported identities, so that their users can sign in with them: identities of configured providers, of users
   * with a verified email, if no other account has the same identity. Yields every identity that was not bound before, with
   * the outcome, as the work proceeds: read the generator to its end. Does not throw for an identity that cannot be bound.
   */
  bindIdentities(options: { readonly dryRun: boolean }, by: Operator): AsyncGenerator<BoundIdentity>;
  /** Deletes a user and returns a receipt of the deleted data. */
  deleteUser(user: string, by: Operator): Promise<Receipt>;
  /** Bans a user at once, permanently or until a time. Throws `invalid` (`invalid_until`). */
  ban(user: string, restriction: RestrictInput, by: Operator): Promise<AdminActionResult>;
  /** Ends a ban. */
  unban(user: string, by: Operator): Promise<AdminActionResult>;
  /** Disables a user, as `ban` does. */
  disable(user: string, restriction: RestrictInput, by: Operator): Promise<AdminActionResult>;
  /** Enables a disabled user. */
  enable(user: string, by: Operator): Promise<AdminActionResult>;
  /** Ends every lockout of a user: for passwords, mailed codes and the second factor. */
  unlock(user: string, by: Operator): Promise<AdminActionResult>;
  /** Ends all sessions of a user, and sign-ins that wait for a second factor. */
  endSessions(user: string, by: Operator): Promise<AdminActionResult>;
  /** Ends one session of a user. Throws `missing` (`session_not_found`). */
  endSession(user: string, sessionId: string, by: Operator): Promise<AdminActionResult>;
  /** A user's live sessions, the newest first. */
  listSessions(user: string): Promise<readonly Omit<SessionView, 'current'>[]>;
  /**
   * Gives a user another email; password, second factor and sessions stay. Codes mailed to the old address become
   * invalid, and both addresses are notified. The email keeps its verified or unverified state. The result's `email` is
   * the new email. Throws `invalid` (`invalid_email`) and `conflict` (`email_taken`).
   */
  setEmail(user: string, email: string, by: ReasoningOperator): Promise<AdminActionResult>;
  /**
   * Mails a code to reset the password. Throws `refused` (`email_not_verified`), `throttled` (`too_many_code_mails`).
   */
  sendReset(user: string, by: Operator): Promise<AdminActionResult>;
  /**
   * Mails a new code to verify the email. Throws `conflict` (`already_verified`), `throttled` (`too_many_code_mails`).
   */
  resendCode(user: string, by: Operator): Promise<AdminActionResult>;
  /** Marks a user's email as verified, on the operator's responsibility. Removes imported identities, but no password. */
  takeEmailAsVerified(user: string, by: Operator): Promise<AdminActionResult>;
  /** Removes a user's second factor, ends their sessions and notifies them by mail. */
  resetTwoFactor(user: string, by: ReasoningOperator): Promise<AdminActionResult>;
  /** Removes an identity, even the user's last sign-in method, and notifies the user by mail. */
  unlinkIdentity(user: string, identity: IdentityName, by: ReasoningOperator): Promise<AdminActionResult>;
  /** Removes a passkey by its id, and notifies the user by mail. Throws `missing` (`passkey_not_found`). */
  removePasskey(user: string, id: string, by: ReasoningOperator): Promise<AdminActionResult>;
  /** Grants a tier, and the limits in the input. Throws `invalid` (`unknown_tier`, `invalid_limit`). */
  setTier(user: string, input: SetTierInput, by: Operator): Promise<SetTierResult>;
  /** Ends a granted tier, so that billing decides the tier again. Limits stay. */
  clearTier(user: string, by: Operator): Promise<SetTierResult>;
  /** Makes a user an operator in a role. */
  appoint(user: string, role: OperatorRole, by: Operator): Promise<SetTierResult>;
  /** Makes an operator an ordinary user. */
  dismiss(user: string, by: Operator): Promise<SetTierResult>;
  /** Reads the audit log in order, a page at a time. An unknown email is `missing`; an id need not have an account. */
  listAudit(filter: ListAuditInput): AsyncGenerator<AuditLine>;
  /**
   * Lists the newest rows of the audit log, a page at a time. A search without an index ends after `readsPerSearch` rows.
   * Throws `invalid` (`invalid_cursor`), and `missing` for an unknown email of a `user` or `target`.
   */
  listAuditBack(filter: ListAuditBackInput): Promise<AuditPage>;
  /**
   * Checks the whole audit log against its chain and its signed head, and against a head that was recorded elsewhere:
   * only this head detects that an older copy of the log was restored. Throws `invalid` (`invalid_head`).
   */
  verifyAudit(notedHead?: string): Promise<AuditVerdict>;
  /**
   * Requests a check of the whole audit log in the background, one at a time across all processes. Throws `conflict`
   * (`already_running`).
   */
  startAuditCheck(): Promise<AuditCheck>;
  /** The progress of the check, with the verdict of the last finished check. */
  showAuditCheck(): Promise<AuditCheck>;
  /** Statistics of the last days including today, in order. Days without data are left out. */
  statistics(input: ListStatisticsInput): Promise<readonly DayStatistics[]>;
  /** The last count of secrets and file records sealed by each master key; undefined before the first count. */
  sealedKeys(): Promise<SealedKeys | undefined>;
  /** All mails of the outbox, the oldest first, a page at a time. */
  listMails(): AsyncGenerator<ListedMail>;
  /** The mails of the outbox to one user, the newest first. */
  listMailsOf(user: string): Promise<readonly ListedMail[]>;
  /** The mails of a state, the oldest first, a page at a time. Throws `invalid` (`invalid_cursor`). */
  listMailsByState(filter: ListMailsByStateInput): Promise<MailPage>;
  /**
   * Makes a mail due at once, or all mails (null), dead mails too; each gets at least one more attempt. Returns the
   * count. Throws `missing` (`mail_not_found`).
   */
  retryMails(id: string | null, by: Operator): Promise<number>;
  /**
   * Reseals every TOTP secret that an older master key sealed. After an interruption, a repetition does the rest.
   * Throws `unavailable` while the KMS is down.
   */
  resealSecrets(onProgress: (done: ResealedSecrets) => void): Promise<ResealedSecrets>;
  /** Sealed TOTP secrets by the id of their master key; `null` counts secrets in an unknown format. */
  countSealed(): Promise<ReadonlyMap<string | null, number>>;
  /** Writes an audit row for an action of an operator outside the accounts, such as a key rotation. */
  record(action: string, target: string, after: AuditValue, by: Operator): Promise<void>;
  /**
   * Runs work outside the accounts with an audit row before it (`…_started`) and another row after it, with the outcome
   * or (`…_failed`) the failure. Throws `invalid` (`invalid_reason`, `invalid_person`), and rethrows the work's errors.
   */
  recordWork<T>(work: RecordedWork<T>, by: Operator): Promise<T>;
  /** Records in the process log which data of a user an operator viewed. */
  noteView(userId: string, view: string, by: Operator): Promise<void>;
}

const user = TEXT;
const by = operatorInput;

/** The calls, with the schemas of their arguments. A call with `throws` returns no promise, so it throws for a wrong argument. */
const adminCalls: CallRows<Deps, Omit<Admin, UserActionName>> = {
  findUser: [
    (deps) => async (name) => {
      const { id, email } = await findUser(deps, name);
      return { id, email };
    },
    { user },
  ],
  findEmails: [(deps) => (names) => findEmails(deps, names), { names: list(nullable(TEXT)) }],
  stats: [(deps) => () => deps.directory.stats(deps.clock.now())],
  listDirectory: [makeListDirectory, { filter: listDirectoryInput }],
  showUser: [makeShowUser, { user }],
  createUser: [makeCreateUser, { input: createUserInput, by }],
  exportUser: [makeExportUser, { user, by }],
  importUsers: [makeImportUsers, { lines: LINES, options: userImportOptions, by }],
  bindIdentities: [makeBindIdentities, { options: object({ dryRun: FLAG }), by }, 'throws'],
  deleteUser: [makeDeleteUser, { user, by }],
  listSessions: [makeListUserSessions, { user }],
  listAudit: [makeListAudit, { filter: listAuditInput }, 'throws'],
  listAuditBack: [makeListAuditBack, { filter: listAuditBackInput }],
  verifyAudit: [makeVerifyAudit, { head: OPTIONAL_TEXT }],
  startAuditCheck: [makeStartAuditCheck],
  showAuditCheck: [makeShowAuditCheck],
  statistics: [makeListStatistics, { input: listStatisticsInput }],
  sealedKeys: [makeFindSealedKeys],
  listMails: [makeListMails],
  listMailsOf: [makeListMailsOf, { user }],
  listMailsByState: [makeListMailsByState, { filter: listMailsByStateInput }],
  retryMails: [makeRetryMails, { id: nullable(TEXT), by }],
  resealSecrets: [makeResealSecrets, { onProgress: CALL }],
  countSealed: [makeCountSealed],
  record: [makeRecord, { action: TEXT, target: TEXT, after: OBJECT, by }],
  recordWork: [makeRecordWork, { work: object({ name: TEXT, done: TEXT, target: TEXT, run: CALL }), by }],
  noteView: [makeNoteView, { userId: TEXT, view: TEXT, by }],
};

export const makeAdmin = (deps: Deps): Admin => ({
  ...makeCalls(deps, adminCalls),
  ...makeUserActions(deps),
});
