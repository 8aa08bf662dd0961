import type { MongoDatabase } from '../engine/client.ts';
import type { IdempotentDocument } from '../engine/idempotent-writes.ts';
import { is } from '../engine/scalars.ts';

/** A file record; the shard key is `user` (see docs/scale.md). */
export interface FileDocument extends IdempotentDocument {
  readonly _id: string;
  readonly user: string;
  readonly uploadedAt: number;
  /** The bytes of the uploaded file. */
  readonly size: number;
  /** The bytes of the entry in a cache. */
  readonly bytes: number;
  readonly keyId: string | null;
  /** The response to a read of the file, as JSON text. */
  readonly entry: string;
  /** The item of a list, as JSON text. Records of an earlier version get it with their first list. */
  readonly item?: string;
  /** A removed record stays until the cache has removed its entry, and its idempotency key is no longer needed. */
  readonly removed: boolean;
  /** Set after the cache has removed the entry of a removed record whose idempotency key must stay for a while. */
  readonly uncached?: true;
  readonly accesses: number;
  readonly accessedAt: number;
  /** The idempotency keys of the last additions to `accesses`. */
  readonly countedBy?: readonly string[];
  /** The single idempotency key of an earlier version. */
  readonly counted?: unknown;
}

export const filesIn = ({ collection }: MongoDatabase) => collection<FileDocument>('files');

export const NOT_REMOVED = { removed: { $eq: false } } as const;

/**
 * Some servers that are compatible with MongoDB lock each record that a call changes. If all calls write in this order, no
 * two of them wait for each other.
 */
export const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

/** Matches the record with the id unless it is removed. */
export const existingFile = (id: string) => ({ _id: is(id), ...NOT_REMOVED });
