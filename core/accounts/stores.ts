import type { Outbox, OutboxState, Waiting } from '../outbox.ts';
import type { Account, Tries } from './account.ts';
import type { MailEntry } from './pending.ts';
import type { CookieUse, Proof, Rotation, Session, SessionUse } from './session.ts';

/** Accounts, one document each. Every write is one conditional write. */
export interface AccountStore {
  /** Tombstones are found too. */
  find(id: string): Promise<Account | undefined>;
  /** By canonical email; never a tombstone. */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Accounts that can go back to this canonical email, by id; never a tombstone. */
  listByFormerEmail(email: string): Promise<readonly Account[]>;
  /** False when another account has the email (or the id); nothing is stored then. */
  add(account: Account): Promise<boolean>;
  /**
   * Replaces the record if it still is at `account.version`, and stores it at the next version. False otherwise. An
   * account with `deletedAt` set frees its email.
   */
  save(account: Account): Promise<boolean>;
  /**
   * Adds accounts with different ids, no tombstones, each as `add` does; says of each whether it was added. Calls
   * `before` with those it is about to add, in parts. Where that throws, its part is not added, and may be given again.
   */
  addAll(
    accounts: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<readonly boolean[]>;
  /** Removes the record and frees its email if it still is at `account.version`. */
  remove(account: Account): Promise<boolean>;
  /** Accounts with something pending, tombstones too, by id, from the one after `after` (null: the first). */
  listPending(after: string | null, limit: number): Promise<readonly Account[]>;
  /** Accounts that hold a secret sealed by the KMS, by id, from the one after `after` (null: the first). */
  listSealed(after: string | null, limit: number): Promise<readonly Account[]>;
  /**
   * Accounts with claims of their own for which these were counted, or were not, when the account was last written;
   * those of which that is not known are listed either way.
   */
  listByClaims(counted: boolean, limit: number): Promise<readonly Account[]>;
  /** Accounts whose billing is to be looked at by `now`, the longest waiting first. */
  listBillingDue(now: number, limit: number): Promise<readonly Account[]>;
  /** Accounts with a billing state, by id, from the one after `after` (null: the first). */
  listBilled(after: string | null, limit: number): Promise<readonly Account[]>;
  /** Unverified accounts last registered before `time`, oldest first. */
  listUnverified(before: number, limit: number): Promise<readonly Account[]>;
}

/** Sessions, one document each, found by user and id together. */
export interface SessionStore {
  find(userId: string, id: string): Promise<Session | undefined>;
  /** Sessions that are not ended, the newest first. */
  list(userId: string): Promise<readonly Session[]>;
  /**
   * Adds it; where the user then has more than `most` that are not ended, the oldest end, whatever its time never it.
   * False, and nothing of it stays, when the account was deleted by then or has moved on to another session epoch.
   */
  add(session: Session, most: number): Promise<boolean>;
  /**
   * Exactly one of any number of parallel calls for one `presented` digest gets the session back, rotated; the
   * others, and calls for an ended or expired one, get undefined.
   */
  rotate(rotation: Rotation): Promise<Session | undefined>;
  /**
   * Notes the use of a session in a cookie: of any number of parallel calls with the same `read`, exactly one gets the
   * session back, as changed. The others, and calls for one that is ended, expired or not in a cookie, get undefined.
   */
  use(use: CookieUse): Promise<Session | undefined>;
  /** Notes a new proof; false when there is no such session that is not ended. */
  prove(userId: string, id: string, proof: Proof): Promise<boolean>;
  /** Marks one as ended; false when there is none that is not ended. */
  end(userId: string, id: string, now: number): Promise<boolean>;
  /**
   * Marks the user's as ended, all but `keep`; with `beforeEpoch`, only those begun under an earlier session epoch,
   * so that doing it late ends no session that began since. Says how many.
   */
  endAll(
    userId: string,
    which: { keep: string | null; beforeEpoch: number | null },
    now: number,
  ): Promise<number>;
  /** Ended ones about which no event is out yet. */
  listEnded(limit: number): Promise<readonly Session[]>;
  remove(userId: string, id: string): Promise<void>;
  /**
   * Uses of all that are not ended, from the one behind `after` (null: the first), in an order in which those of a user
   * follow one another.
   */
  listUses(after: SessionUse | null, limit: number): Promise<readonly SessionUse[]>;
  /** Removes expired ones, at most `limit`; says how many. */
  sweep(now: number, limit: number): Promise<number>;
}

/** What is counted under a key, and how much of it may be. */
export interface Bounded {
  readonly key: string;
  readonly most: number;
}

/** Durable counts of wrong tries by a digest of what is guessed at, whether that exists or not. */
export interface TriesStore {
  /** Undefined when none were counted or the window is over. */
  find(key: string, now: number): Promise<Tries | undefined>;
  /** Counts one, atomically; a window of `milliseconds` begins with the first. Gives the count with this one in. */
  add(key: string, milliseconds: number, now: number): Promise<Tries>;
  /**
   * Counts one under each of the different keys, as `add` does, in one write. Gives the first count that thereby is above
   * its `most`; undefined when none is. The keys behind that one count under `nobody:` and the key in place of their
   * own: what is refused uses up nothing more, and takes as many writes as what is not.
   */
  addInTurn(counts: readonly Bounded[], milliseconds: number, now: number): Promise<Tries | undefined>;
  remove(keys: readonly string[]): Promise<void>;
  /** The greatest count of the keys that begin with `prefix`, 0 when none were counted or all windows are over. */
  most(prefix: string, now: number): Promise<number>;
  /** Removes the counts of all keys that begin with `prefix`. */
  removeUnder(prefix: string): Promise<void>;
  /** Removes those whose window is over, at most `limit`; says how many. */
  sweep(now: number, limit: number): Promise<number>;
}

/** A mail in the outbox. */
export type OutboxMail = Waiting<MailEntry>;

/** Mails that wait to be sent. */
export interface OutboxStore extends Outbox<MailEntry> {
  /** Those of a user, dead ones too. */
  listOf(userId: string): Promise<readonly OutboxMail[]>;
  /** Those of a state by id, from the one after `after` (null: the first). */
  listByState(state: OutboxState, after: string | null, limit: number): Promise<readonly OutboxMail[]>;
  /** Removes what is addressed to a user whose account goes, but for the farewell. */
  removeFor(userId: string): Promise<void>;
}

/** One stored row of the audit log; `audit.ts` says how the values are made. */
export interface AuditRow {
  readonly number: number;
  readonly entryId: string;
  readonly target: string;
  readonly actor: string;
  /** Null once erased. */
  readonly content: string | null;
  readonly salt: string | null;
  readonly digest: string;
  readonly value: string;
}

/** The newest row's number and chain value, signed. */
export interface AuditHead {
  readonly number: number;
  readonly value: string;
  readonly signature: string;
}

/** Since when a store has been in use, as what it holds beside the audit log shows. */
export interface StoreUsage {
  /** False while it holds nothing at all, as when it was just made. */
  readonly inUse: boolean;
  /** The least id of all accounts, tombstones too: ids begin with the time at which they were made. */
  readonly firstAccount: string | null;
}

/** Rows that name an id: as what they are about, as who acted, or as either. */
export interface AuditParty {
  readonly id: string;
  readonly as: 'target' | 'actor' | 'either';
}

/** The append-only log. */
export interface AuditStore {
  head(): Promise<AuditHead | undefined>;
  usage(): Promise<StoreUsage>;
  /**
   * Appends the first row, with its head, if the store holds nothing at all. False otherwise. For the start, before
   * anything else is done.
   */
  begin(row: AuditRow, head: AuditHead): Promise<boolean>;
  /**
   * Appends rows that follow one another, with the head that follows the last: all or none. False when the first
   * number is not the next one, or an entry is in the log already.
   */
  append(rows: readonly AuditRow[], head: AuditHead): Promise<boolean>;
  /** The ids among these that are in the log. */
  known(entryIds: readonly string[]): Promise<readonly string[]>;
  /** Rows from number `from` on, in order; `-Infinity` stands for the least number that there is. */
  list(from: number, limit: number): Promise<readonly AuditRow[]>;
  /** The same, of those rows that are about the user or say what the user did. */
  listAbout(userId: string, from: number, limit: number): Promise<readonly AuditRow[]>;
  /** Rows below number `before`, newest first; `Infinity` stands for one above all. With a party, its rows alone. */
  listBack(before: number, limit: number, party?: AuditParty): Promise<readonly AuditRow[]>;
  /**
   * Deletes content and salt of those rows, save the rows of the entries in `keep`, which say that the user went; the
   * ids in the rows stay. Says how many.
   */
  eraseAbout(userId: string, keep: readonly string[]): Promise<number>;
}

/**
 * Stored files, such as avatars, by a path of `<user id>/<name>`. What is under a path never changes. Calls throw
 * `unavailable` (`store_unavailable`) while what they are kept on is full or fails, a `TypeError` for no such path.
 */
export interface ObjectStore {
  /** Durable when it resolves. False when something is under the path already; that stays. */
  put(path: string, bytes: Uint8Array): Promise<boolean>;
  find(path: string): Promise<Uint8Array | undefined>;
  /** Without one, nothing happens. */
  remove(path: string): Promise<void>;
  /** Removes all of a user's. */
  removeAll(userId: string): Promise<void>;
  /** All there are, in no order, and what was left half stored; `storedAt` in epoch milliseconds. */
  list(): AsyncIterable<{ readonly path: string; readonly storedAt: number }>;
}

/** A file as its owner's export shows it; what is encrypted stays so. */
export interface UserFile {
  readonly id: string;
  readonly filenameEnc: string;
  readonly size: number;
  readonly mimeType: string;
  readonly uploadedDate: string;
}

/** The records of a user's files, which the other half of the product keeps. */
export interface UserFiles {
  count(userId: string): Promise<number>;
  /** All of them, a page at a time. */
  list(userId: string): AsyncIterable<readonly UserFile[]>;
  /** Removes them, cached ones too; what an unreachable cache still holds follows. */
  removeAll(userId: string): Promise<unknown>;
  /** All records, by the id of their master key; `null` counts those whose wrapping is not ours. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
}

/** What billing and its provider know about a user, which the other half of the product keeps. */
export interface UserBilling {
  /** Makes both forget; throws `unavailable` while the provider does not confirm it. May be repeated. */
  forget(userId: string, customerIds: readonly string[]): Promise<void>;
}
