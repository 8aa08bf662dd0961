import {
  CALL,
  COUNT,
  FLAG,
  LINES,
  LIST,
  NUMBER,
  oneOf,
  optional,
  type Rule,
  record,
  TEXT,
} from '../arguments.ts';
import type { ImportOptions } from '../import-lines.ts';
import type { Invalidate } from './cache/invalidate.ts';
import type { Prefetch } from './cache/prefetch.ts';
import type { SyncCache } from './cache/sync-cache.ts';
import type { UnwrapKey, WrapKey } from './data-key.ts';
import { invalidFile } from './errors.ts';
import type { CreateFile } from './file-record.ts';

/** Whose files they are: `userId`, or `user`, as it is called over HTTP. */
export type OfUser<T extends { readonly user: string }> = Omit<T, 'user'> &
  ({ readonly userId: string; readonly user?: never } | { readonly user: string; readonly userId?: never });

/** The call under either name of the user. Throws `invalid` (`invalid_request`) for two that differ. */
export const ofUser =
  <T extends { readonly user: string }, Answer>(run: (input: T) => Promise<Answer>) =>
  async (given: OfUser<T>): Promise<Answer> => {
    const { userId, ...input }: { readonly userId?: string; readonly user?: string } = given;
    if (userId !== undefined && input.user !== undefined && userId !== input.user) {
      throw invalidFile("'user' is another name of 'userId': give one of them.");
    }
    // The rest is as it was given.
    return run({ ...input, user: userId ?? input.user } as T);
  };

/** One whose user is under either name. */
const owned = <T extends { readonly user: string }>(
  members: { readonly [Name in keyof Omit<T, 'user'>]-?: Rule },
): Rule => {
  const rest = record<Omit<T, 'user'>>(members);
  return (value, name) => {
    const problem = rest(value, name);
    if (problem !== undefined) return problem;
    const { userId, user } = value as { readonly userId?: unknown; readonly user?: unknown };
    if (userId === undefined && user !== undefined) return TEXT(user, 'user');
    return TEXT(userId, 'userId') ?? optional(TEXT)(user, 'user');
  };
};

const FILE = owned<CreateFile>({
  filenameEnc: TEXT,
  size: NUMBER,
  mimeType: TEXT,
  dekEnc: TEXT,
  thumb: FLAG,
});
const LISTED = { userId: TEXT, cursor: optional(TEXT) };
const PAGE = record({ ...LISTED, limit: COUNT });
const ALL = record(LISTED);
const OPTIONS = record<ImportOptions>({ dryRun: FLAG, onBad: CALL, onProgress: CALL, pause: optional(CALL) });

/** What the calls for files take. */
export const fileArguments = {
  create: { input: FILE },
  read: { id: TEXT },
  list: { input: PAGE },
  listAll: { input: ALL },
  listText: { input: PAGE },
  listAllText: { input: ALL },
  delete: { id: TEXT },
  wrapKey: { input: record<WrapKey>({ dek: TEXT, context: optional(TEXT) }) },
  unwrapKey: { input: record<UnwrapKey>({ dekEnc: TEXT, context: optional(TEXT) }) },
  wrapKeys: { items: LIST },
  unwrapKeys: { items: LIST },
  syncCache: { input: owned<SyncCache>({ type: oneOf('allOne', 'allTwo', 'mostOne', 'mostTwo') }) },
  prefetch: { input: owned<Prefetch>({ limit: NUMBER }) },
  invalidate: { input: owned<Invalidate>({ type: oneOf('OUT', 'DEL') }) },
  countOf: { userId: TEXT },
  deleteAllOf: { userId: TEXT },
};

export const fileOperateArguments = {
  importFiles: { lines: LINES, options: OPTIONS },
  reseal: { onProgress: CALL },
};
