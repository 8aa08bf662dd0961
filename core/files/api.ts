import type { ImportCounts, ImportOptions, Lines } from '../import-lines.ts';
import type { OfUser } from './arguments.ts';
import type { Invalidate, Invalidated } from './cache/invalidate.ts';
import type { Prefetch } from './cache/prefetch.ts';
import type { SyncCache, Synced } from './cache/sync-cache.ts';
import type { UnwrapKey, WrapKey } from './data-key.ts';
import type { CreatedFile, CreateFile, ListedFile } from './file-record.ts';
import type { FilePage, ListFiles } from './list-files.ts';
import type { Resealed } from './reseal.ts';
import type { Failed } from './wrap-many.ts';

/**
 * File metadata, as `createFiles` gives it. A refusal is a `CoreError` with a stable `code`. Every call that uses a
 * store or the KMS may also throw `unavailable` while that is down; try again later.
 */
export interface Files {
  /** Records an uploaded file. Throws `invalid` (`invalid_request`) and `missing` (`user_not_found`). */
  create(input: OfUser<CreateFile>): Promise<CreatedFile>;
  /** The record's JSON text, byte for byte as it was stored. Throws `missing` (`not_found`). */
  read(id: string): Promise<string>;
  /** A page of a user's files, the newest first. Throws `invalid` (`invalid_request`). */
  list(input: ListFiles & { readonly limit: number }): Promise<FilePage<ListedFile>>;
  /** All of a user's files, the newest first, a page at a time. Throws `invalid` (`invalid_request`). */
  listAll(input: Omit<ListFiles, 'limit'>): AsyncGenerator<readonly ListedFile[], void>;
  /** As `list`; each item is the JSON text of a `ListedFile`, as it is sent. */
  listText(input: ListFiles & { readonly limit: number }): Promise<FilePage<string>>;
  /** As `listAll`; each item is the JSON text of a `ListedFile`, as it is sent. */
  listAllText(input: Omit<ListFiles, 'limit'>): AsyncGenerator<readonly string[], void>;
  /** Deletes a file's record, in the store and in the cache. Throws `missing` (`not_found`). */
  delete(id: string): Promise<{ readonly deleted: string }>;
  /** Seals a data key for a context. Throws `invalid` (`invalid_dek`, `invalid_request`). */
  wrapKey(input: WrapKey): Promise<{ readonly dekEnc: string }>;
  /** Opens a sealed data key, for the context it was sealed for. Throws `invalid` (`invalid_enc_dek`, `invalid_request`). */
  unwrapKey(input: UnwrapKey): Promise<{ readonly dek: string }>;
  /** Seals many data keys. Each item succeeds or fails on its own. */
  wrapKeys(
    items: readonly unknown[],
  ): Promise<{ readonly items: readonly (Failed | { readonly dekEnc: string })[] }>;
  /** Opens many sealed data keys. Each item succeeds or fails on its own. */
  unwrapKeys(
    items: readonly unknown[],
  ): Promise<{ readonly items: readonly (Failed | { readonly dek: string })[] }>;
  /**
   * Copies a user's records into the cache for a day. What is written is decided before the first write. Throws
   * `missing` (`user_not_found`), `invalid` (`limit_exceeded`), and `unavailable` while the cache is down.
   */
  syncCache(input: OfUser<SyncCache>): Promise<Synced>;
  /**
   * Caches a user's most active files for a day. Throws `missing` (`user_not_found`), `invalid` (`invalid_request`), and
   * `unavailable` while the cache is down.
   */
  prefetch(input: OfUser<Prefetch>): Promise<{ readonly user: string; readonly prefetched: number }>;
  /**
   * Takes a user's entries out of the cache at once. `OUT` leaves the records and counts entries; `DEL` deletes the
   * records, too, and counts them. Throws `missing` (`user_not_found`), and for `OUT` `unavailable` while the cache is
   * down.
   */
  invalidate(input: OfUser<Invalidate>): Promise<Invalidated>;
  /** How many files a user has. */
  countOf(userId: string): Promise<number>;
  /** Deletes all records of a user whose account is deleted. Answers how many. */
  deleteAllOf(userId: string): Promise<number>;
  /** What operators do with records, cache and keys. */
  readonly operate: FilesOperate;
  /** The work between requests: `compose().start()` runs it. */
  readonly background: FilesBackground;
}

/** What operators do with records, cache and keys. */
export interface FilesOperate {
  /**
   * Imports records, one JSON object a line. A record whose id exists stays as it is, so an import whose lines have ids
   * may be started again.
   */
  importFiles(lines: Lines, options: ImportOptions): Promise<ImportCounts>;
  /** All records, and the bytes that they say their files have. */
  totals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** What the cache holds. Throws `unavailable` while it is down. */
  cacheStats(): Promise<{
    readonly entries: number;
    readonly bytes: number;
    readonly epoch: number;
  }>;
  /** Empties the cache; answers how many entries went. Throws `unavailable` while it is down. */
  clearCache(): Promise<number>;
  /** Makes every entry cached so far a miss, whether or not the cache can be reached. */
  outdateCache(): Promise<void>;
  /** Seals every data key that is under an older master key again. If it is broken off, a repetition does the rest. */
  reseal(onProgress: (done: Resealed) => void): Promise<Resealed>;
  /** The id of the master key that seals now. */
  masterKey(): Promise<string>;
  /** Records by the id of their master key; `null` counts those whose wrapping is not ours. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
}

/** The work between requests: `flushAccesses` and `flushCacheReads` in every process, the rest in any. */
export interface FilesBackground {
  /** Writes this process's access counts to the store. */
  flushAccesses(): Promise<void>;
  /** Adds this process's reads of the cache to the statistics of the day. */
  flushCacheReads(): Promise<void>;
  /** Removes deleted records once the cache has lost them, too. Answers how many. */
  sweepRemoved(): Promise<number>;
  /** Call it when a cache that was down works again: until then it may have missed removals. */
  cacheReturned(): void;
  /** False while a process raises the cache's epoch because it cannot tell the cache of removals. */
  isCacheSteady(): Promise<boolean>;
}
