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
import type { UnwrapKeyInput, WrapKeyInput } from './data-key.ts';
import { invalidFile } from './errors.ts';
import type { CreateFileInput } from './file-record.ts';
import type { InvalidateInput, PrefetchInput, SyncCacheInput } from './manage-cache.ts';

/** The owner of the files: `userId`, or `user` as over HTTP. */
export type OfUser<T extends { readonly user: string }> = Omit<T, 'user'> &
  ({ readonly userId: string; readonly user?: never } | { readonly user: string; readonly userId?: never });

/** Lets callers name the user `userId` or `user`. Throws `invalid` (`invalid_request`) if both are given and differ. */
export const ofUser =
  <T extends { readonly user: string }, Answer>(run: (input: T) => Promise<Answer>) =>
  async (args: OfUser<T>): Promise<Answer> => {
    const { userId, ...input }: { readonly userId?: string; readonly user?: string } = args;
    if (userId !== undefined && input.user !== undefined && userId !== input.user) {
      throw invalidFile("'user' is another name of 'userId': give one of them.");
    }
    // All other members are unchanged.
    return run({ ...input, user: userId ?? input.user } as T);
  };

/** The rule of an input whose user has either name. */
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

const FILE = owned<CreateFileInput>({
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

/** The arguments of the calls for files. */
export const fileArguments = {
  create: { input: FILE },
  read: { id: TEXT },
  list: { input: PAGE },
  listAll: { input: ALL },
  listText: { input: PAGE },
  listAllText: { input: ALL },
  delete: { id: TEXT },
  wrapKey: { input: record<WrapKeyInput>({ dek: TEXT, context: optional(TEXT) }) },
  unwrapKey: { input: record<UnwrapKeyInput>({ dekEnc: TEXT, context: optional(TEXT) }) },
  wrapKeys: { items: LIST },
  unwrapKeys: { items: LIST },
  syncCache: { input: owned<SyncCacheInput>({ type: oneOf('allOne', 'allTwo', 'mostOne', 'mostTwo') }) },
  prefetch: { input: owned<PrefetchInput>({ limit: NUMBER }) },
  invalidate: { input: owned<InvalidateInput>({ type: oneOf('OUT', 'DEL') }) },
  countOf: { userId: TEXT },
  deleteAllOf: { userId: TEXT },
};

export const fileOperateArguments = {
  importFiles: { lines: LINES, options: OPTIONS },
  deleteFiles: { userId: TEXT, begin: optional(CALL) },
  reseal: { onProgress: CALL },
};
