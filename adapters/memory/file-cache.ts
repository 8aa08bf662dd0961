import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import type { Clock } from '../../core/ports.ts';
import { text, whole } from './scalars.ts';

interface Cached {
  readonly entry: string;
  readonly epoch: number;
  readonly endsAt: number;
}

interface Tombstone {
  readonly endsAt: number;
  readonly mark: string;
}

const bytesOf = (id: string, entry: string) => Buffer.byteLength(`meta:${id}`) + Buffer.byteLength(entry);

/** A cache of file records in memory. Each write is synchronous, so nothing comes between its look and its effect. */
export const makeMemoryFileCache = (clock: Clock): FileCache => {
  const cached = new Map<string, Cached>();
  const tombstones = new Map<string, Tombstone>();

  const endOf = (life: number): number => clock.now() + whole(life) * 1_000;
  const live = (id: string, epoch: number): Cached | undefined => {
    const [found, wanted] = [cached.get(text(id)), whole(epoch)];
    return found?.epoch === wanted && found.endsAt > clock.now() ? found : undefined;
  };
  const buried = (id: string): Tombstone | undefined => {
    const found = tombstones.get(text(id));
    return found !== undefined && found.endsAt > clock.now() ? found : undefined;
  };
  const idsOf = (epoch: number) => [...cached.keys()].filter((id) => live(id, epoch) !== undefined);

  /** Gives the ids that are cached now. What is there stays, and lives until `extendTo` at least. */
  const fill = (entries: readonly FileEntry[], epoch: number, life: number, extendTo: number) => {
    const given = entries.map(({ id, entry }) => ({ id: text(id), entry: text(entry) }));
    const next = { epoch: whole(epoch), endsAt: endOf(life) };
    const free = given.filter(({ id }) => buried(id) === undefined);
    for (const { id, entry } of free) {
      const there = live(id, epoch);
      const endsAt = Math.max(there?.endsAt ?? next.endsAt, extendTo);
      cached.set(id, there === undefined ? { entry, ...next } : { ...there, endsAt });
    }
    return free;
  };

  return {
    get: async (id, epoch) => live(id, epoch)?.entry,
    fill: async (entry, epoch, life) => {
      fill([entry], epoch, life, 0);
    },
    load: async (entries, epoch, life) => fill(entries, epoch, life, endOf(life)).length,
    forget: async (ids, epoch) =>
      ids.filter((id) => live(id, epoch) !== undefined && cached.delete(id)).length,
    remove: async (ids, tombstoneLife, mark = '') => {
      const [endsAt, name] = [endOf(tombstoneLife), text(mark)];
      for (const id of ids.map(text)) {
        cached.delete(id);
        tombstones.set(id, { endsAt: Math.max(endsAt, tombstones.get(id)?.endsAt ?? 0), mark: name });
      }
    },
    renew: async (entries, mark, epoch, life) => {
      const given = entries.map(({ id, entry }) => ({ id: text(id), entry: text(entry) }));
      const [next, name] = [{ epoch: whole(epoch), endsAt: endOf(life) }, text(mark)];
      for (const { id, entry } of given.filter(({ id }) => buried(id)?.mark === name)) {
        cached.set(id, { entry, ...next });
        tombstones.delete(id);
      }
    },
    clear: async (epoch) => {
      const { length } = idsOf(epoch);
      cached.clear();
      return length;
    },
    stats: async (epoch) => {
      const ids = idsOf(epoch);
      const bytes = ids.reduce((sum, id) => sum + bytesOf(id, cached.get(id)?.entry ?? ''), 0);
      return { entries: ids.length, bytes };
    },
  };
};
