import { cacheUnavailable } from '../../core/files/errors.ts';
import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import type { Clock } from '../../core/ports.ts';

/** A cache that keeps its port to the letter, and no more than that. */
export const makeMemoryCache = (clock: Clock): FileCache => {
  const held = new Map<string, { readonly text: string; readonly epoch: number; endsAt: number }>();
  const buried = new Map<string, { readonly endsAt: number; readonly mark: string }>();

  const live = (id: string, epoch: number) => {
    const one = held.get(id);
    return one?.epoch === epoch && one.endsAt > clock.now() ? one : undefined;
  };
  const isBuried = (id: string) => (buried.get(id)?.endsAt ?? 0) > clock.now();
  const liveIds = (epoch: number) => [...held.keys()].filter((id) => live(id, epoch) !== undefined);

  /** Whether it is cached now. */
  const put = ({ id, entry }: FileEntry, epoch: number, life: number, extend: boolean): boolean => {
    if (isBuried(id)) return false;
    const endsAt = clock.now() + life * 1_000;
    const there = live(id, epoch);
    if (there === undefined) held.set(id, { text: entry, epoch, endsAt });
    else if (extend) there.endsAt = Math.max(there.endsAt, endsAt);
    return true;
  };
  const drop = (ids: readonly string[]): number => ids.filter((id) => held.delete(id)).length;

  return {
    get: async (id, epoch) => live(id, epoch)?.text,
    fill: async (entry, epoch, life) => {
      put(entry, epoch, life, false);
    },
    load: async (entries, epoch, life) => entries.filter((one) => put(one, epoch, life, true)).length,
    forget: async (ids, epoch) => drop(ids.filter((id) => live(id, epoch) !== undefined)),
    remove: async (ids, tombstoneLife, mark = '') => {
      drop(ids);
      const endsAt = clock.now() + tombstoneLife * 1_000;
      for (const id of ids) buried.set(id, { endsAt: Math.max(endsAt, buried.get(id)?.endsAt ?? 0), mark });
    },
    renew: async (entries, mark, epoch, life) => {
      const endsAt = clock.now() + life * 1_000;
      for (const { id, entry } of entries.filter(({ id }) => isBuried(id) && buried.get(id)?.mark === mark)) {
        held.set(id, { text: entry, epoch, endsAt });
        buried.delete(id);
      }
    },
    clear: async (epoch) => {
      const { length } = liveIds(epoch);
      held.clear();
      return length;
    },
    stats: async (epoch) => {
      const texts = liveIds(epoch).map((id) => live(id, epoch)?.text ?? '');
      return { entries: texts.length, bytes: texts.reduce((bytes, text) => bytes + text.length, 0) };
    },
  };
};

/** A way to a cache that can be cut, and what went over it. */
export const makeCacheLink = (cache: FileCache) => {
  const calls: string[] = [];
  const link = { up: true, calls };
  const over =
    <A extends readonly unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      calls.push(name);
      if (!link.up) throw cacheUnavailable();
      return call(...given);
    };
  const port: FileCache = {
    get: over('get', cache.get),
    fill: over('fill', cache.fill),
    load: over('load', cache.load),
    forget: over('forget', cache.forget),
    remove: over('remove', cache.remove),
    renew: over('renew', cache.renew),
    clear: over('clear', cache.clear),
    stats: over('stats', cache.stats),
  };
  return Object.assign(link, { port });
};
