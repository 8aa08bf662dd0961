import { checkArguments } from '../../arguments.ts';
import type { ImportOptions, Lines } from '../../import-lines.ts';
import type { DayStatistics } from '../../statistics.ts';
import type { DirectoryStats } from '../directory.ts';
import type { OperatorRole } from '../entitlement.ts';
import type { Kit } from '../kit.ts';
import type { AuditValue } from '../pending.ts';
import type { IdentityName } from '../providers/unlink.ts';
import type { SessionView } from '../sessions/list-and-end.ts';
import { type Acted, makeFindUser, type Operator } from './act.ts';
import { actArguments } from './arguments.ts';
import { type AuditCheck, makeShowAuditCheck, makeStartAuditCheck } from './audit/audit-check.ts';
import type { AuditLine } from './audit/audit-rows.ts';
import { type ListAudit, makeListAudit } from './audit/list-audit.ts';
import { type AuditPage, type ListAuditBack, makeListAuditBack } from './audit/list-audit-back.ts';
import { type AuditVerdict, makeVerifyAudit } from './audit/verify-audit.ts';
import { type CreateUser, makeCreateUser } from './create-user.ts';
import { makeDeleteUser, type Receipt } from './delete-user.ts';
import { makeEndUserSessions } from './end-sessions.ts';
import { makeExportUser, type UserExport } from './export-user.ts';
import { type Granted, makeAppoint, makeClearTier, makeDismiss, makeSetTier, type SetTier } from './grant.ts';
import { makeImportUsers, type UserImportCounts } from './import-users.ts';
import { type DirectoryPage, type ListDirectory, makeListDirectory } from './lists/list-directory.ts';
import {
  type ListedMail,
  type ListMailsByState,
  type MailPage,
  makeListMails,
  makeListMailsByState,
  makeListMailsOf,
  makeRetryMails,
} from './mails.ts';
import { makeNoteView, makeRecord } from './record.ts';
import { makeCountSealed, makeResealSecrets, type ResealedSecrets } from './reseal.ts';
import { makeResendCode } from './resend-code.ts';
import { makeResetTwoFactor } from './reset-two-factor.ts';
import { makeBan, makeDisable, makeEnable, makeUnban, type Restrict } from './restrict.ts';
import { makeSendReset } from './send-reset.ts';
import { makeEndUserSession, makeListUserSessions } from './sessions.ts';
import { makeSetEmail } from './set-email.ts';
import { makeShowUser, type ShownUser } from './show/show-user.ts';
import { type ListStatistics, makeListStatistics } from './statistics/list-statistics.ts';
import { makeFindSealedKeys, type SealedKeys } from './statistics/sealed-keys.ts';
import { makeTakeEmailAsVerified } from './take-email-as-verified.ts';
import { makeUnlock } from './unlock.ts';
import { type BoundIdentity, makeBindIdentities } from './ways-in/bind-identities.ts';
import { makeOperatorRemovePasskey } from './ways-in/remove-passkey.ts';
import { makeUnlinkIdentity } from './ways-in/unlink-identity.ts';

/** An operator who says why: the call needs a reason. */
type WithReason = Operator & { readonly reason: string };

/**
 * What operators do. `user` is an id or an email; every call that names one throws `missing` (`user_not_found`) and
 * `invalid` (`invalid_email`). A call with `by` is audited under that actor, and throws `invalid` (`invalid_reason`,
 * `invalid_person`); one that changes a user throws `conflict` (`changed_meanwhile`) where `by.seen` is not the user's
 * `updatedAt` any more. A change that is so already writes nothing and answers `changed: false`.
 *
 * Where `by.actor` is the id of an account, its owner cannot ban, disable, appoint, dismiss or delete themselves or reset
 * their own second factor (`conflict`, `own_account`), and nobody takes the last founder away (`last_founder`).
 */
export interface Operate {
  /** The id and email of a user. */
  findUser(user: string): Promise<{ readonly id: string; readonly email: string }>;
  /** Counts of users. A large store may answer counts of up to a minute ago. */
  stats(): Promise<DirectoryStats>;
  /**
   * Lists users by the beginning of their email, else newest first, a page at a time. A search for what no index has ends
   * after `listLooks` users. Throws `invalid` (`invalid_prefix`, `invalid_email`, `unknown_tier`, `invalid_cursor`).
   */
  listDirectory(filter: ListDirectory): Promise<DirectoryPage>;
  /** What an operator wants to know about a user at first sight. */
  showUser(user: string): Promise<ShownUser>;
  /**
   * Makes an account without a password. Throws `invalid` (`invalid_email`, `invalid_display_name`,
   * `email_not_verified`), `conflict` (`email_taken`) and `throttled` (`too_many_code_mails`).
   */
  createUser(input: CreateUser, by: Operator): Promise<Acted>;
  /** Gathers all that is held about a user (GDPR article 15). The export itself is audited, too. */
  exportUser(user: string, by: Operator): Promise<UserExport>;
  /**
   * Imports users, one JSON object a line; undefined stands for a line that cannot be read. Existing accounts stay as
   * they are, so a broken-off import is simply started again. Memory use does not grow with the number of lines.
   */
  importUsers(lines: Lines, options: ImportOptions, by: Operator): Promise<UserImportCounts>;
  /**
   * Binds imported identities, so that users sign in with them: of users with a verified email, those of the providers
   * that are set, where one account alone has it. Yields every identity that was not bound, with what became of it, while
   * it works: read it to its end. Throws nothing for one that cannot be bound.
   */
  bindIdentities(options: { readonly dryRun: boolean }, by: Operator): AsyncGenerator<BoundIdentity>;
  /** Deletes a user, and says what went. */
  deleteUser(user: string, by: Operator): Promise<Receipt>;
  /** Bans a user, at once and for good or until a time. Throws `invalid` (`invalid_until`). */
  ban(user: string, restriction: Restrict, by: Operator): Promise<Acted>;
  /** Ends a ban. */
  unban(user: string, by: Operator): Promise<Acted>;
  /** Disables a user, as `ban` does. */
  disable(user: string, restriction: Restrict, by: Operator): Promise<Acted>;
  /** Ends a disablement. */
  enable(user: string, by: Operator): Promise<Acted>;
  /** Ends every hold of a user: on passwords, on mailed codes and on the second factor. */
  unlock(user: string, by: Operator): Promise<Acted>;
  /** Ends all sessions of a user, and logins that wait for a second factor. */
  endSessions(user: string, by: Operator): Promise<Acted>;
  /** Ends one session of a user. Throws `missing` (`session_not_found`). */
  endSession(user: string, sessionId: string, by: Operator): Promise<Acted>;
  /** A user's live sessions, the newest first. */
  listSessions(user: string): Promise<readonly Omit<SessionView, 'current'>[]>;
  /**
   * Gives a user another email; password, second factor and sessions stay. Codes mailed to the old address are void,
   * and both addresses are told. Whether the email counts as verified stays as it is. The answer's `email` is the new
   * one. Throws `invalid` (`invalid_email`) and `conflict` (`email_taken`).
   */
  setEmail(user: string, email: string, by: WithReason): Promise<Acted>;
  /** Mails a code to reset the password. Throws `refused` (`email_not_verified`), `throttled` (`too_many_code_mails`). */
  sendReset(user: string, by: Operator): Promise<Acted>;
  /**
   * Mails a new code to verify the email. Throws `conflict` (`already_verified`), `throttled` (`too_many_code_mails`).
   */
  resendCode(user: string, by: Operator): Promise<Acted>;
  /** Takes a user's email as verified, on the operator's word. */
  takeEmailAsVerified(user: string, by: Operator): Promise<Acted>;
  /** Removes a user's second factor, ends their sessions and tells them by mail. */
  resetTwoFactor(user: string, by: WithReason): Promise<Acted>;
  /** Removes an identity, which opens nothing from then on, and tells the user by mail. It may be the last way to sign in. */
  unlinkIdentity(user: string, identity: IdentityName, by: WithReason): Promise<Acted>;
  /** Removes a passkey by its id, and tells the user by mail. Throws `missing` (`passkey_not_found`). */
  removePasskey(user: string, id: string, by: WithReason): Promise<Acted>;
  /** Grants a tier, and limits where they are given. Throws `invalid` (`unknown_tier`, `invalid_limit`). */
  setTier(user: string, input: SetTier, by: Operator): Promise<Granted>;
  /** Ends a granted tier, so that billing decides again. Limits stay. */
  clearTier(user: string, by: Operator): Promise<Granted>;
  /** Makes a user an operator in a role. */
  appoint(user: string, role: OperatorRole, by: Operator): Promise<Granted>;
  /** Makes an operator an ordinary user. */
  dismiss(user: string, by: Operator): Promise<Granted>;
  /** Reads the audit log in order, a page at a time. An unknown email is `missing`; an id need not have an account. */
  listAudit(filter: ListAudit): AsyncGenerator<AuditLine>;
  /**
   * Lists the newest rows of the audit log, a page at a time. A search for what no index has ends after `listLooks` rows.
   * Throws `invalid` (`invalid_cursor`); a `user` or `target` whose email nobody has is `missing`.
   */
  listAuditBack(filter: ListAuditBack): Promise<AuditPage>;
  /**
   * Checks the whole audit log against its chain and its signed head, and against a head that was noted elsewhere: only
   * that finds a log put back as it was earlier. Throws `invalid` (`invalid_head`).
   */
  verifyAudit(notedHead?: string): Promise<AuditVerdict>;
  /**
   * Asks for a check of the whole audit log in the background, one at a time over all processes. Throws `conflict`
   * (`already_running`).
   */
  startAuditCheck(): Promise<AuditCheck>;
  /** How far that check is, with the verdict of the last one that ended. */
  showAuditCheck(): Promise<AuditCheck>;
  /** Figures of the last days, today among them, in order. A day of which nothing is known is left out. */
  statistics(input: ListStatistics): Promise<readonly DayStatistics[]>;
  /** What each master key sealed, as it was counted last; undefined before the first count. */
  sealedKeys(): Promise<SealedKeys | undefined>;
  /** All mails of the outbox, the oldest first, a page at a time. */
  listMails(): AsyncGenerator<ListedMail>;
  /** The mails of the outbox to one user, the newest first. */
  listMailsOf(user: string): Promise<readonly ListedMail[]>;
  /** The mails of a state, the oldest first, a page at a time. Throws `invalid` (`invalid_cursor`). */
  listMailsByState(filter: ListMailsByState): Promise<MailPage>;
  /**
   * Makes a mail due at once, or all of them (null), dead ones too; each gets at least one more try. Answers how many.
   * Throws `missing` (`mail_not_found`).
   */
  retryMails(id: string | null, by: Operator): Promise<number>;
  /**
   * Seals every TOTP secret that is under an older master key again. If it is broken off, a repetition does the rest.
   * Throws `unavailable` while the KMS is down.
   */
  resealSecrets(onProgress: (done: ResealedSecrets) => void): Promise<ResealedSecrets>;
  /** Sealed TOTP secrets by the id of their master key; `null` counts those of no known form. */
  countSealed(): Promise<ReadonlyMap<string | null, number>>;
  /** Writes an audit row for what an operator did outside the accounts, such as a rotation of keys. */
  record(action: string, target: string, after: AuditValue, by: Operator): Promise<void>;
  /** Notes in the process log that an operator looked at a user, and at what of them. */
  noteView(userId: string, what: string, by: Operator): Promise<void>;
}

export const makeOperate = (kit: Kit): Operate => {
  const findUser = makeFindUser(kit);
  const acts: Operate = {
    findUser: async (user) => {
      const { id, email } = await findUser(user);
      return { id, email };
    },
    stats: () => kit.directory.stats(kit.clock.now()),
    listDirectory: makeListDirectory(kit),
    showUser: makeShowUser(kit),
    createUser: makeCreateUser(kit),
    exportUser: makeExportUser(kit),
    importUsers: makeImportUsers(kit),
    bindIdentities: makeBindIdentities(kit),
    deleteUser: makeDeleteUser(kit),
    ban: makeBan(kit),
    unban: makeUnban(kit),
    disable: makeDisable(kit),
    enable: makeEnable(kit),
    unlock: makeUnlock(kit),
    endSessions: makeEndUserSessions(kit),
    endSession: makeEndUserSession(kit),
    listSessions: makeListUserSessions(kit),
    setEmail: makeSetEmail(kit),
    sendReset: makeSendReset(kit),
    resendCode: makeResendCode(kit),
    takeEmailAsVerified: makeTakeEmailAsVerified(kit),
    resetTwoFactor: makeResetTwoFactor(kit),
    unlinkIdentity: makeUnlinkIdentity(kit),
    removePasskey: makeOperatorRemovePasskey(kit),
    setTier: makeSetTier(kit),
    clearTier: makeClearTier(kit),
    appoint: makeAppoint(kit),
    dismiss: makeDismiss(kit),
    listAudit: makeListAudit(kit),
    listAuditBack: makeListAuditBack(kit),
    verifyAudit: makeVerifyAudit(kit),
    startAuditCheck: makeStartAuditCheck(kit),
    showAuditCheck: makeShowAuditCheck(kit),
    statistics: makeListStatistics(kit),
    sealedKeys: makeFindSealedKeys(kit),
    listMails: makeListMails(kit),
    listMailsOf: makeListMailsOf(kit),
    listMailsByState: makeListMailsByState(kit),
    retryMails: makeRetryMails(kit),
    resealSecrets: makeResealSecrets(kit),
    countSealed: makeCountSealed(kit),
    record: makeRecord(kit),
    noteView: makeNoteView(kit),
  };
  return checkArguments(acts, actArguments, ['listAudit', 'bindIdentities']);
};
