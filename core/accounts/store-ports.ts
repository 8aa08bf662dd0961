import type { Outbox, OutboxItem, OutboxState } from '../outbox.ts';
import type { Account, Attempts } from './account.ts';
import type { MailEntry, MailTemplate } from './outbox-entries.ts';
import type { Session, SessionUse } from './session.ts';

/** A condition on accounts. Each one but `claims` also fixes the order of the list. */
export type AccountCondition =
  /**
   * With pending entries (`pending`), with a secret sealed by the KMS (`sealed`), or with a billing state (`billed`). The first
   * two include tombstones. By id, starting after `after` (null: with the first).
   */
  | { readonly fact: 'pending' | 'sealed' | 'billed'; readonly after: string | null }
  /**
   * The user claimed a tier. `counted`: whether such claims took effect when the account was last written. Accounts for which
   * this is unknown are listed for either value. In no order.
   */
  | { readonly fact: 'claims'; readonly counted: boolean }
  /** Billing is due for a check at `now`; the longest waiting first. */
  | { readonly fact: 'billing_due'; readonly now: number }
  /** Unverified and last registered before `before`; the oldest first. */
  | { readonly fact: 'unverified'; readonly before: number };

/** Accounts, one document each. Every write is one conditional write. */
export interface AccountStore {
  /** Finds tombstones, too. */
  find(id: string): Promise<Account | undefined>;
  /** Finds an account by canonical email, never a tombstone. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Accounts with this canonical email among `formerEmails`, expired or not, by id; also tombstones whose deletion waits. */
  listByFormerEmail(email: string): Promise<readonly Account[]>;
  /** False if another account has the email (or the id); then nothing is stored. */
  add(account: Account): Promise<boolean>;
  /**
   * Replaces the record if it is still at `account.version`, and stores it at the next version. False otherwise. An
   * account with `deletedAt` frees its email.
   */
  save(account: Account): Promise<boolean>;
  /**
   * Adds accounts with different ids, no tombstones, like `add`; returns for each whether it was added. Calls `before`
   * with the accounts it is about to add, in parts. If that throws, so does the call: earlier parts stay added, this part and
   * those after it are not.
   */
  addAll(
    accounts: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<readonly boolean[]>;
  /** Removes the record and frees its email if it is still at `account.version`. */
  remove(account: Account): Promise<boolean>;
  listWhere(condition: AccountCondition, limit: number): Promise<readonly Account[]>;
}

/** A session with the account it belongs to. */
export interface SessionWithAccount {
  readonly session: Session;
  readonly account: Account;
}

/** Sessions, one document each, found by user and id together. */
export interface SessionStore {
  find(userId: string, id: string): Promise<Session | undefined>;
  /** The session with its account, in one call. Undefined if either is missing. */
  findWithAccount(userId: string, id: string): Promise<SessionWithAccount | undefined>;
  /** Sessions that have not been ended, the newest first. */
  list(userId: string): Promise<readonly Session[]>;
  /**
   * Adds the session. If the user then has more than `most` sessions, those added first end, but never the new one. False if
   * the account was deleted meanwhile or has another session version; then nothing is stored.
   */
  add(session: Session, most: number): Promise<boolean>;
  /**
   * Replaces the session by `next`, with the same user and id, if it has not been changed or ended since `session` was
   * read; false otherwise. A change is recognized by `refreshDigest`, `cookie.digest`, `lastUsedAt`, `authenticatedAt` and
   * `methods`: every writer changes one of them. Exactly one of any number of parallel calls gets true.
   */
  change(session: Session, next: Session): Promise<boolean>;
  /** Marks the session as ended; false if it does not exist or was ended before. */
  end(userId: string, id: string, now: number): Promise<boolean>;
  /**
   * Marks the user's sessions as ended, except `keep`. With `beforeVersion` only sessions with a lower session version,
   * so that a late call ends no session that began since. Returns how many.
   */
  endAll(
    userId: string,
    which: { keep: string | null; beforeVersion: number | null },
    now: number,
  ): Promise<number>;
  /** Ended sessions whose event is not delivered yet. */
  listEnded(limit: number): Promise<readonly Session[]>;
  remove(userId: string, id: string): Promise<void>;
  /**
   * Uses of all sessions that have not been ended, starting after `after` (null: with the first), in an order in which a
   * user's sessions follow one another.
   */
  listUses(after: SessionUse | null, limit: number): Promise<readonly SessionUse[]>;
  /**
   * Removes at most `limit` expired sessions, except ended ones that `listEnded` still lists; returns how many. A session may
   * stay for a day after it expired.
   */
  sweep(now: number, limit: number): Promise<number>;
}

/** A key of a count, and the most that may be counted under it. */
export interface AttemptLimit {
  readonly key: string;
  readonly most: number;
}

/**
 * Durable counts of wrong attempts, code mails and requests to change the email, by the keys of `throttle-keys.ts`, whether or
 * not the account exists.
 */
export interface AttemptsStore {
  /**
   * Undefined if none were counted or the window has ended. A count that begins more than a minute after `now` has ended, too: it
   * was written before the clock was set back.
   */
  find(key: string, now: number): Promise<Attempts | undefined>;
  /** Counts an attempt, atomically; the first begins a window of `milliseconds`. Returns the new count. */
  add(key: string, milliseconds: number, now: number): Promise<Attempts>;
  /**
   * Counts an attempt under each of the different keys, like `add`, in one call. Returns the first count that exceeds its
   * `most`; undefined if none does. The keys after that one are not counted: a refused attempt uses up no further allowance.
   * Instead of each of those a decoy (`decoyKey`) is counted, so that the attempt costs as many writes as an accepted one.
   */
  addInTurn(
    counts: readonly AttemptLimit[],
    milliseconds: number,
    now: number,
  ): Promise<Attempts | undefined>;
  remove(keys: readonly string[]): Promise<void>;
  /** The greatest count of the keys that begin with `prefix`; 0 if none were counted or all windows have ended. */
  most(prefix: string, now: number): Promise<number>;
  /** Removes the counts of all keys that begin with `prefix`. */
  removeUnder(prefix: string): Promise<void>;
  /** Removes counts whose window has ended, at most `limit`; returns how many. */
  sweep(now: number, limit: number): Promise<number>;
}

/**
 * `answered`: the content waits to be redeemed; `taken`: its code was redeemed; `spent`: nothing is left to use. A
 * ticket or a challenge that was used is stored as `spent` at once.
 */
export type FlowStage = 'answered' | 'taken' | 'spent';

/** The record of a single-use code, ticket or challenge. Times are epoch milliseconds. */
export interface Flow {
  /** Random, or the SHA-256 of a random value, such as the `state` that was sent to the provider. */
  readonly id: string;
  readonly stage: FlowStage;
  /** SHA-256 of the secret in the code that redeems the record; null if there is no code. */
  readonly codeDigest: string | null;
  /** What the code stands for, sealed; for a used ticket the id of the flow that it began; else null. */
  readonly content: string | null;
  /** Until then the record can go to its next stage. */
  readonly expiresAt: number;
  /** The id stays taken until then, so that nothing is stored under it a second time. */
  readonly keptUntil: number;
}

/** One step of a flow: from a stage that has not expired to the next. */
export interface FlowStep {
  readonly id: string;
  readonly from: FlowStage;
  readonly to: FlowStage;
  /** Must equal the record's; absent if the step needs no code. */
  readonly codeDigest?: string;
  /** The record's `expiresAt` after the step. */
  readonly expiresAt: number;
}

/** Flows, one document each, found by id. */
export interface FlowStore {
  /** False if a record has this id, expired or not; nothing is stored then. */
  add(flow: Flow): Promise<boolean>;
  /** Undefined if the record is missing or has expired. */
  find(id: string, now: number): Promise<Flow | undefined>;
  /**
   * True for exactly one of any number of parallel calls for the same step. False for the others, and for an expired
   * record, another stage or another code. The step does not change how long the id stays taken.
   */
  step(step: FlowStep, now: number): Promise<boolean>;
  /** The number of records, including expired ones that were not swept yet; an estimate if there are many. */
  count(): Promise<number>;
  /** Removes at most `limit` records whose ids need not stay taken, by `keptUntil`; returns their number. */
  sweep(now: number, limit: number): Promise<number>;
}

export type OutboxMail = OutboxItem<MailEntry>;

/** Mails waiting to be sent. */
export interface OutboxStore extends Outbox<MailEntry> {
  /** A user's mails, including dead ones. */
  listOf(userId: string): Promise<readonly OutboxMail[]>;
  /** Mails in a state, by id, starting after `after` (null: with the first). */
  listByState(state: OutboxState, after: string | null, limit: number): Promise<readonly OutboxMail[]>;
  /** Removes the mails to a user, except those of `exceptTemplate`. */
  removeFor(userId: string, exceptTemplate: MailTemplate): Promise<void>;
}

/** A stored row of the audit log; `outbox/audit-chain.ts` makes `digest` and `value`. */
export interface AuditRow {
  readonly number: number;
  readonly entryId: string;
  readonly target: string;
  readonly actor: string;
  /** The JSON text of the entry; null once erased. */
  readonly content: string | null;
  readonly salt: string | null;
  readonly digest: string;
  /** The chain value, a MAC over the previous row's value and this row. */
  readonly value: string;
}

/** The newest row's number and chain value, signed. */
export interface AuditHead {
  readonly number: number;
  readonly value: string;
  readonly signature: string;
}

/** Rows that follow a head, and the head after the last of them. */
export interface FollowingRows {
  readonly rows: readonly AuditRow[];
  readonly head: AuditHead;
}

/** How long a store has been in use, according to its data other than the audit log. */
export interface StoreUsage {
  /** False while the store is empty, such as a new one. */
  readonly inUse: boolean;
  /** The least id of all accounts, including tombstones: ids begin with their creation time. */
  readonly firstAccount: string | null;
}

/** Selects rows with an id as their target, as their actor, or as either. */
export interface AuditFilter {
  readonly id: string;
  readonly as: 'target' | 'actor' | 'either';
}

/** The append-only log. */
export interface AuditStore {
  head(): Promise<AuditHead | undefined>;
  usage(): Promise<StoreUsage>;
  /** Appends the first row, with its head, if the store is empty; false otherwise. The first call when the product starts. */
  appendFirst(row: AuditRow, head: AuditHead): Promise<boolean>;
  /**
   * Appends the consecutive rows that `follow` makes after the newest head, and their head: all or none. False if the first
   * number is not the next one, or an entry is in the log already. A repeated attempt calls `follow` again.
   */
  append(follow: (head: AuditHead | undefined) => Promise<FollowingRows>): Promise<boolean>;
  /** The ids that are in the log already. */
  listExisting(entryIds: readonly string[]): Promise<readonly string[]>;
  /** Rows from number `fromNumber` on, in order; `-Infinity` stands for the least number. */
  list(fromNumber: number, limit: number): Promise<readonly AuditRow[]>;
  /** Like `list` from a finite number on, but only rows with the user as target or actor. */
  listAbout(userId: string, fromNumber: number, limit: number): Promise<readonly AuditRow[]>;
  /** Rows below number `before`, newest first; `Infinity` for all. With a filter, only the rows that match it. */
  listBack(before: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /**
   * Deletes content and salt of the rows that `listAbout` lists, except the rows of the entries in `keep`, which record
   * the user's deletion. The ids in the rows stay. Returns how many.
   */
  eraseAbout(userId: string, keep: readonly string[]): Promise<number>;
}

/**
 * Stored files, such as avatars, by a path of `<user id>/<name>`. The content of a path never changes. Calls throw
 * `unavailable` (`store_unavailable`) while the storage is full or fails, and a `TypeError` for an invalid path.
 */
export interface ObjectStore {
  /** Durable when it resolves. False if the path has a file already, which stays. */
  put(path: string, bytes: Uint8Array): Promise<boolean>;
  find(path: string): Promise<Uint8Array | undefined>;
  /** Does nothing if the file is missing. */
  remove(path: string): Promise<void>;
  removeAll(userId: string): Promise<void>;
  /** All files, unordered, including partly stored ones; `storedAt` in epoch milliseconds. */
  list(): AsyncIterable<{ readonly path: string; readonly storedAt: number }>;
}

/** A file as its owner's export shows it; encrypted fields stay encrypted. */
export interface UserFile {
  readonly id: string;
  readonly filenameEnc: string;
  readonly size: number;
  readonly mimeType: string;
  readonly uploadedDate: string;
}

/** The records of a user's files, which the metadata module stores. */
export interface UserFiles {
  count(userId: string): Promise<number>;
  /** All records, a page at a time. */
  list(userId: string): AsyncIterable<readonly UserFile[]>;
  /** Removes the records and their cached entries. If the cache cannot be reached, all its entries become invalid. */
  removeAll(userId: string): Promise<unknown>;
  /** The number of records by the id of their master key; `null` counts keys that this product did not wrap. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
}

/** The data about a user in billing and at the payment provider. */
export interface UserBilling {
  /** Deletes the data in both; throws `unavailable` while the provider does not confirm it. May be repeated. */
  forget(userId: string, customerIds: readonly string[]): Promise<void>;
  /** Gives the provider's customer another email; throws `unavailable` while the provider does not confirm it. May be repeated. */
  changeEmail(userId: string, email: string): Promise<void>;
  /** The stored deliveries of the provider about the user, the newest first. */
  listDeliveries(userId: string): Promise<readonly ProviderDelivery[]>;
}

/** A delivery of the payment provider. */
export interface ProviderDelivery {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** As the provider wrote it; null once erased. */
  readonly body: string | null;
}
