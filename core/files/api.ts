import type { ImportCounts, ImportOptions, Lines } from '../import-lines.ts';
import type { UnwrapKeyInput, WrapKeyInput } from './data-key.ts';
import type { FailedItem } from './data-key-batch.ts';
import type { CreateFileInput, CreateFileResult, ListedFile } from './file-record.ts';
import type { FilePage, ListFilesInput } from './list-files.ts';
import type {
  InvalidateInput,
  InvalidateResult,
  PrefetchInput,
  SyncCacheInput,
  SyncCacheResult,
} from './manage-cache.ts';
import type { ResealResult } from './reseal.ts';
import type { OfUser } from './user-id-alias.ts';

/**
 * File metadata, as `createFiles` returns it. A refusal is a `CoreError` with a stable `code`. Every call that uses a
 * store or the KMS may also throw `unavailable` while that is down; try again later.
 */
export interface Files {
  /** Records an uploaded file. Throws `invalid` (`invalid_request`) and `missing` (`user_not_found`). */
  create(input: OfUser<CreateFileInput>): Promise<CreateFileResult>;
  /** The record's JSON text, byte for byte as it was stored. Throws `missing` (`not_found`). */
  read(id: string): Promise<string>;
  /** A page of a user's files, the newest first. Throws `invalid` (`invalid_request`). */
  list(input: ListFilesInput & { readonly limit: number }): Promise<FilePage<ListedFile>>;
  /** All of a user's files, the newest first, a page at a time. Throws `invalid` (`invalid_request`). */
  listAll(input: Omit<ListFilesInput, 'limit'>): AsyncGenerator<readonly ListedFile[], void>;
  /** As `list`; each item is the JSON text of a `ListedFile`, as it is sent. */
  listText(input: ListFilesInput & { readonly limit: number }): Promise<FilePage<string>>;
  /** As `listAll`; each item is the JSON text of a `ListedFile`, as it is sent. */
  listAllText(input: Omit<ListFilesInput, 'limit'>): AsyncGenerator<readonly string[], void>;
  /** Deletes a file's record, in the store and in the cache. Throws `missing` (`not_found`). */
  delete(id: string): Promise<{ readonly deleted: string }>;
  /** Seals a data key for a context. Throws `invalid` (`invalid_dek`, `invalid_request`). */
  wrapKey(input: WrapKeyInput): Promise<{ readonly dekEnc: string }>;
  /** Opens a sealed data key, for the context it was sealed for. Throws `invalid` (`invalid_enc_dek`, `invalid_request`). */
  unwrapKey(input: UnwrapKeyInput): Promise<{ readonly dek: string }>;
  /** Seals many data keys. Each item succeeds or fails by itself. Throws `invalid` (`invalid_request`) for none or too many. */
  wrapKeys(
    items: readonly unknown[],
  ): Promise<{ readonly items: readonly (FailedItem | { readonly dekEnc: string })[] }>;
  /** Opens many sealed data keys. Each item succeeds or fails by itself. Throws as `wrapKeys` does. */
  unwrapKeys(
    items: readonly unknown[],
  ): Promise<{ readonly items: readonly (FailedItem | { readonly dek: string })[] }>;
  /**
   * Copies a user's records into the cache for a day. The records are chosen before the first write. Throws `missing`
   * (`user_not_found`), `invalid` (`invalid_request`, `limit_exceeded`), and `unavailable` while the cache is down.
   */
  syncCache(input: OfUser<SyncCacheInput>): Promise<SyncCacheResult>;
  /**
   * Caches a user's most active files for a day. Throws `missing` (`user_not_found`), `invalid` (`invalid_request`), and
   * `unavailable` while the cache is down.
   */
  prefetch(input: OfUser<PrefetchInput>): Promise<{ readonly user: string; readonly prefetched: number }>;
  /**
   * Removes a user's entries from the cache at once. `OUT` keeps the records and counts entries; `DEL` also deletes the
   * records and counts them. Throws `missing` (`user_not_found`), `invalid` (`invalid_request`), and for `OUT` `unavailable`
   * while the cache is down.
   */
  invalidate(input: OfUser<InvalidateInput>): Promise<InvalidateResult>;
  /** The number of files of a user. */
  countOf(userId: string): Promise<number>;
  /** Deletes all records of a user whose account is deleted. Returns the count. */
  deleteAllOf(userId: string): Promise<number>;
  /** What operators do with records, cache and keys. */
  readonly operate: FilesOperate;
  /** The work between requests, which `start` of the composed product runs. */
  readonly background: FilesBackground;
}

/** What operators do with records, cache and keys. */
export interface FilesOperate {
  /**
   * Imports records, one JSON object per line. An existing record stays as it is, so an import whose lines have ids may be
   * repeated.
   */
  importFiles(lines: Lines, options: ImportOptions): Promise<ImportCounts>;
  /** The number of records, and the sum of their file sizes. */
  totals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Counts what the cache holds; `epoch` is its generation. Throws `unavailable` while it is down. */
  cacheStats(): Promise<{
    readonly entries: number;
    readonly bytes: number;
    readonly epoch: number;
  }>;
  /** Empties the cache; returns the number of removed entries. Throws `unavailable` while it is down. */
  clearCache(): Promise<number>;
  /** Invalidates every entry cached so far, even while the cache is down. */
  outdateCache(): Promise<void>;
  /**
   * Deletes a user's records, in the store and in the cache, and returns the count. Awaits `begin` once the user is found,
   * before the first deletion. Throws `missing` (`user_not_found`).
   */
  deleteFiles(userId: string, begin?: () => Promise<unknown>): Promise<number>;
  /** Seals again every data key that an older master key sealed. After an interruption, another call does the rest. */
  reseal(onProgress: (progress: ResealResult) => void): Promise<ResealResult>;
  /** The id of the master key that seals now. */
  masterKey(): Promise<string>;
  /** The number of records by the id of their master key; under `null` those whose data key this product did not wrap. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
}

/** The work between requests. Any process may run `sweepRemoved`; the other calls are about the process itself. */
export interface FilesBackground {
  /** Writes this process's access counts to the store. */
  flushAccesses(): Promise<void>;
  /** Adds this process's reads of the cache to the statistics of the day. */
  flushCacheReads(): Promise<void>;
  /** Purges deleted records once they are no longer cached. Returns the count. */
  sweepRemoved(): Promise<number>;
  /**
   * Must be called when a cache that was down works again: it may have missed removals. `replaced`: another server, such as a
   * promoted replica, took its place and may also lack the latest changes. The cache may be used when the promise resolves.
   */
  cacheReturned(replaced?: boolean): Promise<void>;
  /** False for some seconds after a process raised the cache generation, as it does for removals that cannot reach the cache. */
  isCacheSteady(): Promise<boolean>;
}
