import type { Clock, Digest, Kms, Log, Random } from '../ports.ts';
import type { Statistics } from '../statistics.ts';

/** A record as it is kept: the answer to a single read, and what queries need beside it. */
export interface StoredFile {
  readonly id: string;
  /** The uploader's user id. */
  readonly user: string;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
  /** Bytes of the uploaded file. */
  readonly size: number;
  /** The JSON text of the answer to a single read, sent and cached as it stands. */
  readonly entry: string;
  /** The JSON text of the record as an item of a list: the entry without its wrapped key, which never changes. */
  readonly item: string;
  /** What the entry takes in a cache: its UTF-8 bytes and those of its key. */
  readonly bytes: number;
  /** The master key that its data key is wrapped with; null when that is not our wrapping. */
  readonly keyId: string | null;
}

/** Where a list goes on: behind this record. */
export interface FilePosition {
  readonly uploadedAt: number;
  readonly id: string;
}

/** An entry by the id of its record. */
export interface FileEntry {
  readonly id: string;
  readonly entry: string;
}

/** A record of a list, with its item as JSON text. */
export interface ListedRecord extends FilePosition {
  readonly item: string;
}

/**
 * File records. A removed one is found by nothing any more but `listRemoved`: it stays until the cache, too, is known
 * to have lost it. Lists are newest first, then by id, the greatest first.
 */
export interface FileStore {
  /** False when the id is taken, by a removed record too. */
  add(file: StoredFile): Promise<boolean>;
  /** The entry. */
  find(id: string): Promise<string | undefined>;
  /** The entries of those of the records that are there, in the order of `ids`. */
  findAll(ids: readonly string[]): Promise<readonly FileEntry[]>;
  /** A user's, from the one behind `after` (null: the first). */
  list(user: string, after: FilePosition | null, limit: number): Promise<readonly ListedRecord[]>;
  /** The same, with what each takes in a cache in place of the item. */
  listSizes(
    user: string,
    after: FilePosition | null,
    limit: number,
  ): Promise<readonly (FilePosition & { readonly bytes: number })[]>;
  /** Whether the user has any. */
  has(user: string): Promise<boolean>;
  /** How many there are, and the bytes of the uploaded files. */
  totals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** True for exactly one of any number of parallel calls. */
  remove(id: string): Promise<boolean>;
  /** Removes some of a user's, at most `limit`; gives their ids, none when all are gone. */
  removeSome(user: string, limit: number): Promise<readonly string[]>;
  /** Ids of removed records that may be forgotten: a store may keep them for a minute, to know its own removals again. */
  listRemoved(limit: number): Promise<readonly string[]>;
  /** Forgets removed records for good. */
  purge(ids: readonly string[]): Promise<void>;
}

/** Accesses of one record that were not written yet. */
export interface Accesses {
  readonly id: string;
  readonly count: number;
  /** The last of them, epoch milliseconds. */
  readonly lastAt: number;
}

/** How far down the ranking of active records. */
export interface ActivityPosition {
  readonly id: string;
  readonly accesses: number;
  readonly accessedAt: number;
}

/** How often records are read: single reads, counted with the record. */
export interface FileActivity {
  /**
   * Adds to the counts of those records that are there. When it fails, some may be counted: the same call with the same
   * mark, soon, counts the others alone.
   */
  add(accesses: readonly Accesses[], mark: string): Promise<void>;
  /**
   * A user's records whose last access was at `since` (epoch milliseconds) or later: most accesses first,
   * then the most recent, then by id; with what each takes in a cache.
   */
  list(
    user: string,
    since: number,
    after: ActivityPosition | null,
    limit: number,
  ): Promise<readonly (ActivityPosition & { readonly bytes: number })[]>;
}

/** Where a list by master keys goes on: behind this record. */
export interface SealedPosition {
  readonly keyId: string;
  readonly id: string;
}

/** Records by the master key that their data keys are wrapped with: for rotation. */
export interface SealedFiles {
  /** Records by key id; `null` counts those that are not our wrapping. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
  /** Ours under any other key than `keyId`, by key, then by id, from the one behind `after` (null: the first). */
  listNotUnder(
    keyId: string,
    after: SealedPosition | null,
    limit: number,
  ): Promise<readonly (FileEntry & SealedPosition)[]>;
  /** Puts the wrapped key of `next` in place of `entry`, if that still is the record's; false otherwise. */
  replace(entry: FileEntry, next: Pick<StoredFile, 'entry' | 'bytes' | 'keyId'>): Promise<boolean>;
}

/** A number that every cached entry carries. Raised when the cache could not be told of a removal. */
export interface CacheEpoch {
  read(): Promise<number>;
  /** Gives the new number, durable when it resolves. */
  raise(): Promise<number>;
}

/**
 * A key-value cache of entries, shared by every process that serves them. Whoever writes here has read the value before,
 * and it may have been removed since: so a removal leaves a tombstone for a while, and nothing is written over it; what
 * is there already is never older, and stays. An entry of another epoch counts as absent. Lives are in seconds; every
 * key expires. Calls throw `unavailable` (`cache_unavailable`) within their deadline while the cache is down.
 */
export interface FileCache {
  get(id: string, epoch: number): Promise<string | undefined>;
  /** Caches an entry unless one or a tombstone is there. */
  fill(entry: FileEntry, epoch: number, life: number): Promise<void>;
  /** The same for many; those that are there live on for at least `life`. Says how many are cached now. */
  load(entries: readonly FileEntry[], epoch: number, life: number): Promise<number>;
  /** Drops entries whose records stay as they are; says how many there were. Tombstones stay. */
  forget(ids: readonly string[], epoch: number): Promise<number>;
  /** Drops entries whose records were removed or are about to change, and leaves tombstones with a mark. */
  remove(ids: readonly string[], tombstoneLife: number, mark?: string): Promise<void>;
  /** Caches entries in the place of tombstones with the mark; where there is anything else, that stays. */
  renew(entries: readonly FileEntry[], mark: string, epoch: number, life: number): Promise<void>;
  /** Drops every entry; says how many there were. Tombstones stay. */
  clear(epoch: number): Promise<number>;
  /** Entries there are, and about how many bytes they take. */
  stats(epoch: number): Promise<{ readonly entries: number; readonly bytes: number }>;
}

/** Who may own files. */
export interface FileOwners {
  /** `deleted`: had an account once, and nothing may be brought back. */
  standing(userId: string): Promise<'account' | 'deleted' | 'unknown'>;
}

/** What the file half is made of: give each one, get the use cases from `createFiles`. */
export interface FilesPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly digest: Digest;
  readonly kms: Kms;
  readonly files: FileStore;
  readonly activity: FileActivity;
  readonly sealed: SealedFiles;
  readonly epoch: CacheEpoch;
  readonly cache: FileCache;
  readonly owners: FileOwners;
  readonly statistics: Statistics;
}
