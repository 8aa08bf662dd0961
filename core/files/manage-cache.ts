import { pagesOf } from '../pagination.ts';
import { integer, object, oneOf, size, type TypeOf } from '../schema.ts';
import { makeDeleteFilesOf } from './delete-file.ts';
import type { Deps } from './deps.ts';
import { invalidFile, limitExceeded, userNotFound } from './errors.ts';
import { acceptUser, USER } from './file-record.ts';
import type { ActivityPosition, FilePosition } from './ports.ts';

/** Throws `missing` (`user_not_found`) unless the user has an account or a file, and `invalid` for an invalid id. */
const makeRequireUser =
  ({ files, owners, policy }: Pick<Deps, 'files' | 'owners' | 'policy'>) =>
  async (user: string): Promise<void> => {
    acceptUser(user, policy);
    if ((await owners.standing(user)) !== 'account' && !(await files.has(user))) throw userNotFound();
  };

/**
 * A user's active files, the most active first, a page at a time. A file that is read meanwhile only moves up, so no file
 * is listed twice.
 */
const makeActiveFiles = ({ accesses, activity, clock, policy }: Deps) =>
  async function* (user: string): AsyncGenerator<readonly (ActivityPosition & { readonly bytes: number })[]> {
    await accesses.flush();
    const since = clock.now() - policy.activeWithinMs;
    yield* pagesOf<ActivityPosition & { readonly bytes: number }>(policy.page, (after, limit) =>
      activity.list(user, since, after, limit),
    );
  };

export const syncCacheInput = object({
  user: USER,
  /** `all…`: every file; `most…`: active files. `…One` refuses to exceed the limit, `…Two` leaves out the rest. */
  type: oneOf(['allOne', 'allTwo', 'mostOne', 'mostTwo'], {
    description: '`all…`: every file; `most…`: active files. `…One`: all or nothing; `…Two`: as many as fit',
  }),
});
export type SyncCacheInput = TypeOf<typeof syncCacheInput>;
export type SyncType = SyncCacheInput['type'];

const countSchema = (description: string) => size({ description, examples: [12] });

export const syncCacheResult = object({
  user: USER,
  synced: countSchema('Selected files that are cached now'),
  skipped: countSchema('Selected files that are not cached now'),
});
export type SyncCacheResult = TypeOf<typeof syncCacheResult>;

type Sized = { readonly id: string; readonly bytes: number };

/** The bytes of entries that are read and written at once. An embedded store takes some 2 ms, in which it answers nothing else. */
const BLOCK_BYTES = 65_536;

/**
 * A list of ids in blocks. Each block is one text, since there may be more than a million ids. The entries of a block are read in
 * one call, so a block is limited both in ids and in the bytes of their entries.
 */
const makeIdList = (maxIdsPerBlock: number) => {
  const blocks: string[] = [];
  let block: string[] = [];
  let bytes = 0;
  const close = () => {
    if (block.length > 0) blocks.push(block.join());
    block = [];
    bytes = 0;
  };
  return {
    add: (file: Sized) => {
      if (block.length === maxIdsPerBlock || (block.length > 0 && bytes + file.bytes > BLOCK_BYTES)) close();
      block.push(file.id);
      bytes += file.bytes;
    },
    *[Symbol.iterator]() {
      close();
      for (const ids of blocks) yield ids.split(',');
    },
  };
};

export const makeSyncCache = (deps: Deps) => {
  const { entries, files, policy } = deps;
  const requireUser = makeRequireUser(deps);
  const activeFiles = makeActiveFiles(deps);

  const allFiles = (user: string) =>
    pagesOf<FilePosition & Sized>(policy.sizesPage, (after, limit) => files.listSizes(user, after, limit));

  /** The ids of the first files, as many as fit, and the number of all files. */
  const chooseFiles = async (pages: AsyncIterable<readonly Sized[]>, mayLeaveOut: boolean) => {
    const chosenIds = makeIdList(policy.page);
    let total = 0;
    let bytes = 0;
    let isFull = false;
    for await (const page of pages) {
      for (const file of page) {
        isFull ||= bytes + file.bytes > policy.syncLimitBytes;
        if (isFull) break;
        bytes += file.bytes;
        chosenIds.add(file);
      }
      if (isFull && !mayLeaveOut) throw limitExceeded(policy.syncLimitBytes);
      total += page.length;
    }
    return { chosenIds, total };
  };

  return async ({ user, type }: SyncCacheInput): Promise<SyncCacheResult> => {
    await requireUser(user);
    const pages = type.startsWith('all') ? allFiles(user) : activeFiles(user);
    const mayLeaveOut = type.endsWith('Two');
    const { chosenIds, total } = await chooseFiles(pages, mayLeaveOut);
    let synced = 0;
    // A block is read while the previous block is written.
    let previousLoad = Promise.resolve(0);
    for (const ids of chosenIds) {
      const load = entries.load(() => files.findAll(ids));
      // Avoids an unhandled rejection; a later turn awaits the promise.
      load.catch(() => undefined);
      synced += await previousLoad;
      previousLoad = load;
    }
    synced += await previousLoad;
    return { user, synced, skipped: total - synced };
  };
};

const INVALIDATE_TYPES = ['OUT', 'DEL'] as const;

export const invalidateInput = object({
  user: USER,
  /** `OUT`: the user signed out, and the entries leave the cache. `DEL`: the user was deleted, so the records are deleted too. */
  type: oneOf(INVALIDATE_TYPES, {
    description: '`OUT` removes the entries from the cache; `DEL` also deletes the records',
  }),
});
export type InvalidateInput = TypeOf<typeof invalidateInput>;

export const invalidateResult = object({
  user: USER,
  type: oneOf(INVALIDATE_TYPES),
  invalidated: countSchema('Entries (`OUT`) or records (`DEL`) that were removed'),
});
export type InvalidateResult = TypeOf<typeof invalidateResult>;

export const makeDeleteFiles = (deps: Deps) => {
  const requireUser = makeRequireUser(deps);
  const deleteFilesOf = makeDeleteFilesOf(deps);

  /** Awaits `begin` once the user is found, before the first deletion. */
  return async (userId: string, begin?: () => Promise<unknown>): Promise<number> => {
    await requireUser(userId);
    await begin?.();
    return deleteFilesOf(userId);
  };
};

export const makeInvalidate = (deps: Deps) => {
  const { entries, files, policy } = deps;
  const requireUser = makeRequireUser(deps);
  const deleteFiles = makeDeleteFiles(deps);

  const forgetAll = async (user: string): Promise<number> => {
    let count = 0;
    const pages = pagesOf<FilePosition>(policy.sizesPage, (after, limit) =>
      files.listSizes(user, after, limit),
    );
    for await (const page of pages) count += await entries.forget(page.map(({ id }) => id));
    return count;
  };

  return async ({ user, type }: InvalidateInput): Promise<InvalidateResult> => {
    if (type === 'DEL') return { user, type, invalidated: await deleteFiles(user) };
    await requireUser(user);
    return { user, type, invalidated: await forgetAll(user) };
  };
};

export const prefetchInput = object({
  user: USER,
  limit: integer({ minimum: 1, maximum: 10_000, description: 'The most files to cache', examples: [100] }),
});
export type PrefetchInput = TypeOf<typeof prefetchInput>;

export const prefetchResult = object({ user: USER, prefetched: countSchema('Files that are cached now') });

export const makePrefetch = (deps: Deps) => {
  const { entries, files, policy } = deps;
  const requireUser = makeRequireUser(deps);
  const activeFiles = makeActiveFiles(deps);

  return async ({ user, limit }: PrefetchInput): Promise<TypeOf<typeof prefetchResult>> => {
    if (!Number.isInteger(limit) || limit < 1 || limit > policy.prefetchMost) {
      throw invalidFile(`'limit' must be from 1 to ${policy.prefetchMost}.`);
    }
    await requireUser(user);
    let remaining = limit;
    let prefetched = 0;
    for await (const page of activeFiles(user)) {
      const ids = page.slice(0, remaining).map(({ id }) => id);
      prefetched += await entries.load(() => files.findAll(ids));
      remaining -= ids.length;
      if (remaining === 0) break;
    }
    return { user, prefetched };
  };
};
