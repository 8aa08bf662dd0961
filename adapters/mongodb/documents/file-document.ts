import type { MongoDatabase } from '../engine/client.ts';
import type { Written } from '../engine/idempotent-writes.ts';
import { is } from '../engine/scalars.ts';

/** A file record; the shard key is `_id`. */
export interface FileDocument extends Written {
  readonly _id: string;
  readonly user: string;
  readonly uploadedAt: number;
  readonly size: number;
  readonly bytes: number;
  readonly keyId: string | null;
  /** JSON text of a single read, answered as it is. */
  readonly entry: string;
  /** JSON text of an item of a list. Records of an earlier version get it with their first list. */
  readonly item?: string;
  /** A removed record stays until the cache has lost it too. */
  readonly removed: boolean;
  readonly accesses: number;
  readonly accessedAt: number;
  /** The marks of the last additions to `accesses`. */
  readonly countedBy?: readonly string[];
  /** The single mark that an earlier version kept. */
  readonly counted?: unknown;
}

export const filesIn = ({ collection }: MongoDatabase) => collection<FileDocument>('files');

/** Not removed. */
export const STANDING = { removed: { $eq: false } } as const;

/** The record with the id, if it is not removed. */
export const standing = (id: string) => ({ _id: is(id), ...STANDING });
