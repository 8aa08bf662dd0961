import type { ImportOptions, Lines } from '../../import-lines.ts';
import type { OperatorRole } from '../authority.ts';
import type { DirectoryStats } from '../directory.ts';
import type { Acted, Operator } from '../operate/act.ts';
import type { AuditLine } from '../operate/audit/audit-rows.ts';
import type { ListAudit } from '../operate/audit/list-audit.ts';
import type { AuditVerdict } from '../operate/audit/verify-audit.ts';
import type { CreateUser } from '../operate/create-user.ts';
import type { Receipt } from '../operate/delete-user.ts';
import type { UserExport } from '../operate/export-user.ts';
import type { Granted, SetTier } from '../operate/grant.ts';
import type { UserImportCounts } from '../operate/import-users.ts';
import type { ListedMail } from '../operate/mails.ts';
import type { ResealedSecrets } from '../operate/reseal.ts';
import type { Restrict } from '../operate/restrict.ts';
import type { ShownUser } from '../operate/show-user.ts';
import type { AuditValue } from '../pending.ts';
import type { SessionView } from '../sessions/list-and-end.ts';

/** An operator who says why: the call needs a reason. */
type WithReason = Operator & { readonly reason: string };

/**
 * What operators do. `user` is an id or an email; every call that names one throws `missing` (`user_not_found`) and
 * `invalid` (`invalid_email`). A call with `by` is audited under that actor, and throws `invalid` (`invalid_reason`,
 * `invalid_person`). A change that is so already writes nothing and answers `changed: false`.
 */
export interface Operate {
  /** The id and email of a user. */
  findUser(user: string): Promise<{ readonly id: string; readonly email: string }>;
  /** Counts of users. A large store may answer counts of up to a minute ago. */
  stats(): Promise<DirectoryStats>;
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
   * and both addresses are told. Throws `invalid` (`invalid_email`) and `conflict` (`email_taken`).
   */
  setEmail(user: string, email: string, by: WithReason): Promise<Acted>;
  /** Mails a code to reset the password. Throws `refused` (`email_not_verified`), `throttled` (`too_many_code_mails`). */
  sendReset(user: string, by: Operator): Promise<Acted>;
  /** Takes a user's email as verified, on the operator's word. */
  takeEmailAsVerified(user: string, by: Operator): Promise<Acted>;
  /** Removes a user's second factor, ends their sessions and tells them by mail. */
  resetTwoFactor(user: string, by: WithReason): Promise<Acted>;
  /** Grants a tier, and limits where they are given. Throws `invalid` (`unknown_tier`, `invalid_limit`). */
  setTier(user: string, input: SetTier, by: Operator): Promise<Granted>;
  /** Ends a granted tier, so that billing decides again. Limits stay. */
  clearTier(user: string, by: Operator): Promise<Granted>;
  /** Makes a user an operator in a role. */
  appoint(user: string, role: OperatorRole, by: Operator): Promise<Granted>;
  /** Makes an operator an ordinary user. */
  dismiss(user: string, by: Operator): Promise<Granted>;
  /** Reads the audit log in order, a page at a time. */
  listAudit(filter: ListAudit): AsyncGenerator<AuditLine>;
  /**
   * Checks the whole audit log against its chain and its signed head, and against a head that was noted elsewhere: only
   * that finds a log put back as it was earlier. Throws `invalid` (`invalid_head`).
   */
  verifyAudit(notedHead?: string): Promise<AuditVerdict>;
  /** All mails of the outbox, the oldest first, a page at a time. */
  listMails(): AsyncGenerator<ListedMail>;
  /** Makes a mail due at once, or all of them (null), dead ones too. Answers how many. Throws `missing` (`mail_not_found`). */
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
}
