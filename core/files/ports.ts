import type { Statistics } from '../daily-statistics.ts';
import type { Clock, Digest, Kms, Log, Random } from '../ports.ts';

/** A record as it is stored: the answer to a single read, and the fields that queries need. */
export interface StoredFile {
  readonly id: string;
  /** The uploader's user id. */
  readonly user: string;
  /** Epoch milliseconds. */
  readonly uploadedAt: number;
  /** Bytes of the uploaded file. */
  readonly size: number;
  /** The JSON text of the answer to a single read, sent and cached unchanged. */
  readonly entry: string;
  /** The JSON text of the record as a list item: the entry without its wrapped key. It never changes. */
  readonly item: string;
  /** The size of the entry in a cache: its UTF-8 bytes and those of its key. */
  readonly bytes: number;
  /** The id of the master key that wrapped the data key; null if this product did not wrap it. */
  readonly keyId: string | null;
}

/** The record behind which a list continues. */
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
 * File records. Removed records stay stored until they are certainly no longer cached, and only `listRemoved` finds them. Lists
 * are newest first, then by descending id.
 */
export interface FileStore {
  /** False if the id is taken, even by a removed record. */
  add(file: StoredFile): Promise<boolean>;
  /** Returns the record's entry. */
  find(id: string): Promise<string | undefined>;
  /** Returns the entries of the existing records, in the order of `ids`. */
  findAll(ids: readonly string[]): Promise<readonly FileEntry[]>;
  /** Lists a user's records behind `after` (null: from the first). */
  list(user: string, after: FilePosition | null, limit: number): Promise<readonly ListedRecord[]>;
  /** Like `list`, with the size of each entry in a cache instead of the item. */
  listSizes(
    user: string,
    after: FilePosition | null,
    limit: number,
  ): Promise<readonly (FilePosition & { readonly bytes: number })[]>;
  has(user: string): Promise<boolean>;
  /** The number of records, and the bytes of the uploaded files. */
  totals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** True for exactly one of several parallel calls. */
  remove(id: string): Promise<boolean>;
  /** Removes at most `limit` of a user's records. Returns their ids: an empty list if the user has no record left. */
  removeSome(user: string, limit: number): Promise<readonly string[]>;
  /** Ids of removed records: those that may still be cached, and those that can be purged. */
  listRemoved(limit: number): Promise<readonly string[]>;
  /**
   * Deletes removed records that are no longer cached. A store may delay some deletions by a minute: `listRemoved` returns these
   * records again afterwards.
   */
  purge(ids: readonly string[]): Promise<void>;
}

/** Accesses of one record that are not written yet. */
export interface Accesses {
  readonly id: string;
  readonly count: number;
  /** The time of the last access, epoch milliseconds. */
  readonly lastAt: number;
}

/** A position in the ranking of active records. */
export interface ActivityPosition {
  readonly id: string;
  readonly accesses: number;
  readonly accessedAt: number;
}

/** Counts of single reads, stored with the records. */
export interface FileActivity {
  /**
   * Adds to the counts of existing records. A call that fails may have counted some of the records. If it is repeated soon with
   * the same idempotency key, it counts only the others.
   */
  add(accesses: readonly Accesses[], key: string): Promise<void>;
  /**
   * A user's records whose last access was at `since` (epoch milliseconds) or later: most accesses first, then the most
   * recent, then by id; with the size of each entry in a cache.
   */
  list(
    user: string,
    since: number,
    after: ActivityPosition | null,
    limit: number,
  ): Promise<readonly (ActivityPosition & { readonly bytes: number })[]>;
}

/** The record behind which a list by master keys continues. */
export interface SealedPosition {
  readonly keyId: string;
  readonly id: string;
}

/** Records by the master key that their data keys are wrapped with: for rotation. */
export interface SealedFiles {
  /** The number of records by key id; `null` counts keys that this product did not wrap. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
  /** Records under any other key than `keyId`, by key, then by id, behind `after` (null: from the first). */
  listNotUnder(
    keyId: string,
    after: SealedPosition | null,
    limit: number,
  ): Promise<readonly (FileEntry & SealedPosition)[]>;
  /** Replaces the record's entry by `next`; false if the record was removed, or its entry is no longer `before`. */
  replace(before: FileEntry, next: Pick<StoredFile, 'entry' | 'bytes' | 'keyId'>): Promise<boolean>;
}

/** A number that every cached entry carries. It is raised when all entries must count as absent, such as after a lost removal. */
export interface CacheGeneration {
  read(): Promise<number>;
  /** Returns the new number, which is stored durably when the promise resolves. */
  raise(): Promise<number>;
}

/**
 * A key-value cache of entries, shared by all processes. A fill writes a value that its process read earlier; the record may
 * have been removed since. So a removal leaves a tombstone for a while, which no fill overwrites. Existing entries are not
 * overwritten either: they are never older than the value of a fill. An entry of another generation counts as absent. Every
 * key expires. Calls throw `unavailable` (`cache_unavailable`) within their deadline while the cache is down.
 */
export interface FileCache {
  get(id: string, generation: number): Promise<string | undefined>;
  /** Caches an entry unless an entry or a tombstone exists. */
  fill(entry: FileEntry, generation: number, lifeSeconds: number): Promise<void>;
  /** Fills many entries; existing entries then live for at least `lifeSeconds` more. Returns how many are cached now. */
  load(entries: readonly FileEntry[], generation: number, lifeSeconds: number): Promise<number>;
  /** Drops entries of unchanged records; returns the count. Tombstones stay. */
  forget(ids: readonly string[], generation: number): Promise<number>;
  /** Drops entries whose records were removed or will change, and leaves tombstones. `renew` of the same `owner` replaces these. */
  remove(ids: readonly string[], lifeSeconds: number, owner?: string): Promise<void>;
  /** Replaces tombstones of this owner by entries; any other value stays. */
  renew(entries: readonly FileEntry[], owner: string, generation: number, lifeSeconds: number): Promise<void>;
  /** Drops every entry; returns the count. Tombstones stay. */
  clear(generation: number): Promise<number>;
  /** The number of entries, and their approximate size in bytes. */
  stats(generation: number): Promise<{ readonly entries: number; readonly bytes: number }>;
}

/** The users who may own files. */
export interface FileOwners {
  /** `deleted`: the account was deleted, and no file may be added again. */
  standing(userId: string): Promise<'account' | 'deleted' | 'unknown'>;
}

/** The ports of files. `createFiles` makes the use cases from them. */
export interface FilesPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly digest: Digest;
  readonly kms: Kms;
  readonly files: FileStore;
  readonly activity: FileActivity;
  readonly sealed: SealedFiles;
  /** Reads and raises the generation of the cache. */
  readonly cacheGeneration: CacheGeneration;
  readonly cache: FileCache;
  readonly owners: FileOwners;
  readonly statistics: Statistics;
}
