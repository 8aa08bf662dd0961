import type { CacheReadCounts } from './cache-reads.ts';
import { cacheUnavailable } from './errors.ts';
import { isDown, makeKnownGeneration } from './known-generation.ts';
import type { FilesPolicy } from './policy.ts';
import type { FileEntry, FilesPorts } from './ports.ts';

/** Bytes of the random text by which a call of `change` marks its tombstones: only that call may replace them by entries. */
const OWNER_LENGTH = 9;

/**
 * The cache as the use cases see it. An entry is cached under the generation that was current before its record was read, so
 * that a later raise of the generation makes it a miss. A removal leaves a tombstone for a while, which keeps values that were
 * read before it out of the cache. Unless their comments say otherwise, calls throw `unavailable` while the cache is down.
 */
export const makeEntryCache = (
  deps: Pick<FilesPorts, 'cache' | 'clock' | 'cacheGeneration' | 'log' | 'random'> & {
    readonly policy: FilesPolicy;
    readonly cacheReads: Pick<CacheReadCounts, 'note'>;
  },
) => {
  const { cache, cacheReads, clock, log, policy, random } = deps;
  const { current, outdate, isSteady, distrust } = makeKnownGeneration(deps);
  /** How often another server took the cache's place: the tombstones of the earlier one may be lost. */
  let replacements = 0;

  /**
   * Whether a value whose read began at `startedAt` may be cached now. If that was long ago, a tombstone that was left since then
   * may have expired. The difference is absolute, since the clock may be set back.
   */
  const isFresh = (startedAt: number): boolean => Math.abs(clock.now() - startedAt) <= policy.fillWithinMs;

  const fill = async (entry: FileEntry, generation: number): Promise<void> => {
    try {
      await cache.fill(entry, generation, policy.entryLifeSeconds);
    } catch (error) {
      if (!isDown(error)) log.error('cache.failed', { error });
    }
  };

  /** `generation` is undefined after a hit, and if the cache cannot be used. */
  const lookUp = async (id: string): Promise<{ readonly hit?: string; readonly generation?: number }> => {
    try {
      // A known generation is a plain number: awaiting it would delay each read by a turn of the event loop.
      const latest = current();
      const generation = typeof latest === 'number' ? latest : await latest;
      const hit = await cache.get(id, generation);
      cacheReads.note(hit !== undefined);
      return hit === undefined ? { generation } : { hit };
    } catch (error) {
      if (isDown(error)) return {};
      throw error;
    }
  };

  /** Makes a call to the cache; false if the cache is down. */
  const tryCache = async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      return true;
    } catch (error) {
      if (isDown(error)) return false;
      throw error;
    }
  };

  /** Removes the entries from the cache. Returns false if the cache is down: then they stay. */
  const tryRemove = (ids: readonly string[]): Promise<boolean> =>
    tryCache(() => cache.remove(ids, policy.tombstoneLifeSeconds));

  /** Invalidates everything cached so far, because `count` removals could not reach the cache. Works while the cache is down. */
  const outdateForMissedRemovals = (count: number): Promise<void> => {
    log.warn('cache.removal_owed', { count });
    return outdate();
  };

  /**
   * Removes the entries, even while the cache is down. Afterwards no read returns them; if the cache is down, other processes
   * may return them for another second.
   */
  const remove = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0 && !(await tryRemove(ids))) await outdateForMissedRemovals(ids.length);
  };

  return {
    /** Returns the cached entry, or finds it with `find` and caches it. A cache that is down is a miss. */
    read: async (id: string, find: () => Promise<string | undefined>): Promise<string | undefined> => {
      const startedAt = clock.now();
      const { hit, generation } = await lookUp(id);
      if (hit !== undefined) return hit;
      const entry = await find();
      // Not awaited, so that filling the cache does not delay the answer.
      if (entry !== undefined && generation !== undefined && isFresh(startedAt))
        void fill({ id, entry }, generation);
      return entry;
    },
    /** Caches the entries that `find` returns; returns how many are cached now. */
    load: async (find: () => Promise<readonly FileEntry[]>): Promise<number> => {
      const startedAt = clock.now();
      const generation = await current();
      const entries = await find();
      if (!isFresh(startedAt)) throw cacheUnavailable();
      return entries.length === 0 ? 0 : cache.load(entries, generation, policy.syncedEntryLifeSeconds);
    },
    /** Drops entries of unchanged records; returns the count. */
    forget: async (ids: readonly string[]): Promise<number> =>
      ids.length === 0 ? 0 : cache.forget(ids, await current()),
    clear: async (): Promise<number> => cache.clear(await current()),
    stats: async () => {
      const generation = await current();
      return { ...(await cache.stats(generation)), epoch: generation };
    },
    remove,
    tryRemove,
    /**
     * Runs `change`, which changes the records and returns their new entries; it must not throw. From its first write on, no
     * read returns an older entry, even if this process ends. If the cache is down, other processes may return older entries
     * for up to a second after `change`, until they learn of the new generation. If this process ends before it raises the
     * generation, they may do so until the entries expire.
     */
    change: async (ids: readonly string[], change: () => Promise<readonly FileEntry[]>): Promise<void> => {
      const owner = random.text(OWNER_LENGTH);
      const startedAt = clock.now();
      const replacementsBefore = replacements;
      /** Undefined if the cache is down: then there are no tombstones. */
      let generation: number | undefined;
      await tryCache(async () => {
        await cache.remove(ids, policy.tombstoneLifeSeconds, owner);
        generation = await current();
      });
      const entries = await change();
      // Without valid tombstones, a value read before the change may be cached.
      if (generation === undefined || replacements !== replacementsBefore || !isFresh(startedAt))
        return remove(ids);
      const knownGeneration = generation;
      const isRenewed = await tryCache(() =>
        cache.renew(entries, owner, knownGeneration, policy.renewedEntryLifeSeconds),
      );
      // The tombstones may be lost with their server.
      if (!isRenewed) await remove(ids);
    },
    outdate,
    outdateForMissedRemovals,
    isSteady,
    distrust,
    /** Invalidates everything cached so far, because the cache was replaced and may lack the last removals. */
    outdateAfterReplacement: (): Promise<void> => {
      replacements += 1;
      return outdate();
    },
  };
};
