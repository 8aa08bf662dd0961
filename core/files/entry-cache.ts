import type { CacheReadCounts } from './cache-reads.ts';
import { cacheUnavailable } from './errors.ts';
import { isDown, makeKnownEpoch } from './known-epoch.ts';
import type { FilesPolicy } from './policy.ts';
import type { FileEntry, FilesPorts } from './ports.ts';

/**
 * The cache as the use cases see it. It knows the epoch, and that of before a record was read is what its entry is
 * cached under: whatever happened since makes it a miss.
 */
export interface EntryCache {
  /** The entry, cached or found by `find`, and cached then. A cache that is down is a miss. */
  read(id: string, find: () => Promise<string | undefined>): Promise<string | undefined>;
  /** Caches what `find` gives; says how many are cached now. Throws `unavailable` while the cache is down. */
  load(find: () => Promise<readonly FileEntry[]>): Promise<number>;
  /** Drops entries of records that stay as they are; says how many. Throws `unavailable`, as the next two do. */
  forget(ids: readonly string[]): Promise<number>;
  clear(): Promise<number>;
  stats(): Promise<{ readonly entries: number; readonly bytes: number; readonly epoch: number }>;
  /** After it, no read gives the old value, but for the second in which another process learns of a new epoch. */
  remove(ids: readonly string[]): Promise<void>;
  /** The same in the cache alone: false while it is down. */
  sweep(ids: readonly string[]): Promise<boolean>;
  /**
   * Runs `change`, which changes the records and gives their new entries; it must not throw. From the first of its writes
   * on no read gives an older entry, nor does one stay if this process ends: but for the second in which another process
   * learns of a new epoch, where the cache is down.
   */
  change(ids: readonly string[], change: () => Promise<readonly FileEntry[]>): Promise<void>;
  /** Makes everything cached so far a miss. */
  outdate(): Promise<void>;
  /** Makes everything cached so far a miss for so many removals that the cache could not be told of. */
  owe(count: number): Promise<void>;
  /** False for some seconds after this process or, as far as the store says, another one raised the epoch. */
  isSteady(): Promise<boolean>;
  /** Asks for the epoch again before the cache is used: for when it was away, and others may have raised it. */
  distrust(): void;
}

/** Bytes of the mark of tombstones. */
const MARK_LENGTH = 9;

export const makeEntryCache = (
  needs: Pick<FilesPorts, 'cache' | 'clock' | 'epoch' | 'log' | 'random'> & {
    readonly policy: FilesPolicy;
    readonly cacheReads: Pick<CacheReadCounts, 'note'>;
  },
): EntryCache => {
  const { cache, cacheReads, clock, log, policy, random } = needs;
  const { current, outdate, isSteady, distrust } = makeKnownEpoch(needs);

  /** Whether a value read since `began` may be cached: later, a tombstone may have come and gone. */
  const isFresh = (began: number): boolean => Math.abs(clock.now() - began) <= policy.fillWithin;

  const fill = async (entry: FileEntry, under: number): Promise<void> => {
    try {
      await cache.fill(entry, under, policy.entryLife);
    } catch (error) {
      if (!isDown(error)) log.error('cache.failed', { error });
    }
  };

  /** `under` is undefined when the cache cannot be used. */
  const look = async (id: string): Promise<{ readonly hit?: string; readonly under?: number }> => {
    try {
      const given = current();
      const under = typeof given === 'number' ? given : await given;
      const hit = await cache.get(id, under);
      cacheReads.note(hit !== undefined);
      return hit === undefined ? { under } : { hit };
    } catch (error) {
      if (isDown(error)) return {};
      throw error;
    }
  };

  /** False while the cache is down. */
  const told = async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      return true;
    } catch (error) {
      if (isDown(error)) return false;
      throw error;
    }
  };
  const sweep = (ids: readonly string[]): Promise<boolean> =>
    told(() => cache.remove(ids, policy.tombstoneLife));

  const owe = (count: number): Promise<void> => {
    log.warn('cache.removal_owed', { count });
    return outdate();
  };

  const remove = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0 && !(await sweep(ids))) await owe(ids.length);
  };

  return {
    read: async (id, find) => {
      const began = clock.now();
      const { hit, under } = await look(id);
      if (hit !== undefined) return hit;
      const entry = await find();
      // Not waited for: the answer need not be later for it.
      if (entry !== undefined && under !== undefined && isFresh(began)) void fill({ id, entry }, under);
      return entry;
    },
    load: async (find) => {
      const began = clock.now();
      const under = await current();
      const found = await find();
      if (!isFresh(began)) throw cacheUnavailable();
      return found.length === 0 ? 0 : cache.load(found, under, policy.syncedEntryLife);
    },
    forget: async (ids) => (ids.length === 0 ? 0 : cache.forget(ids, await current())),
    clear: async () => cache.clear(await current()),
    stats: async () => {
      const now = await current();
      return { ...(await cache.stats(now)), epoch: now };
    },
    remove,
    sweep,
    change: async (ids, change) => {
      const mark = random.text(MARK_LENGTH);
      const began = clock.now();
      let under: number | undefined;
      const isBuried = await told(async () => {
        await cache.remove(ids, policy.tombstoneLife, mark);
        under = await current();
      });
      const entries = await change();
      // The tombstones may be over already, or there are none: what was read before may be cached.
      if (!isBuried || under === undefined || !isFresh(began)) return remove(ids);
      const known = under;
      // If this fails the tombstones stay.
      await told(() => cache.renew(entries, mark, known, policy.renewedEntryLife));
    },
    outdate,
    owe,
    isSteady,
    distrust,
  };
};
