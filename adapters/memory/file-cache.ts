import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import type { Clock } from '../../core/ports.ts';

const refused = (expected: string) => new TypeError(`A cache was given something other than ${expected}.`);

/** Returns text; throws a `TypeError` for anything else, as every cache does. */
const text = (value: string): string => {
  if (typeof value !== 'string') throw refused('text');
  return value;
};

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

interface Cached {
  readonly entry: string;
  readonly generation: number;
  readonly endsAt: number;
}

/** Stands for a removed entry, so that no call that read the record before can cache it again. */
interface Tombstone {
  readonly endsAt: number;
  /** The writer that may replace the tombstone by an entry (`renew`); empty if nobody may. */
  readonly owner: string;
}

/** Counted as in Redis: with the key, but without the prefix of all keys there. */
const bytesOf = (id: string, entry: string) => Buffer.byteLength(`meta:${id}`) + Buffer.byteLength(entry);

/** A cache of file records in memory. Each write is synchronous, so nothing comes between its condition and its effect. */
export const makeMemoryFileCache = (clock: Clock): FileCache => {
  const cached = new Map<string, Cached>();
  const tombstones = new Map<string, Tombstone>();

  const endOf = (lifeSeconds: number): number => clock.now() + whole(lifeSeconds) * 1_000;
  const liveEntry = (id: string, generation: number): Cached | undefined => {
    const entry = cached.get(text(id));
    return entry?.generation === whole(generation) && entry.endsAt > clock.now() ? entry : undefined;
  };
  const tombstoneOf = (id: string): Tombstone | undefined => {
    const tombstone = tombstones.get(text(id));
    return tombstone !== undefined && tombstone.endsAt > clock.now() ? tombstone : undefined;
  };
  const idsOf = (generation: number) =>
    [...cached.keys()].filter((id) => liveEntry(id, generation) !== undefined);

  const checked = (entries: readonly FileEntry[]): readonly FileEntry[] =>
    entries.map(({ id, entry }) => ({ id: text(id), entry: text(entry) }));

  /** Returns the entries that are cached now. An existing one stays, and lives until `extendTo` (epoch milliseconds) at least. */
  const fill = (entries: readonly FileEntry[], generation: number, lifeSeconds: number, extendTo: number) => {
    const next = { generation: whole(generation), endsAt: endOf(lifeSeconds) };
    const fillable = checked(entries).filter(({ id }) => tombstoneOf(id) === undefined);
    for (const { id, entry } of fillable) {
      const current = liveEntry(id, generation) ?? { entry, ...next };
      cached.set(id, { ...current, endsAt: Math.max(current.endsAt, extendTo) });
    }
    return fillable;
  };

  return {
    get: async (id, generation) => liveEntry(id, generation)?.entry,
    fill: async (entry, generation, lifeSeconds) => {
      const noExtension = 0;
      fill([entry], generation, lifeSeconds, noExtension);
    },
    load: async (entries, generation, lifeSeconds) =>
      fill(entries, generation, lifeSeconds, endOf(lifeSeconds)).length,
    forget: async (ids, generation) => {
      let count = 0;
      for (const id of ids) {
        if (liveEntry(id, generation) === undefined) continue;
        cached.delete(id);
        count += 1;
      }
      return count;
    },
    remove: async (ids, lifeSeconds, owner = '') => {
      const endsAt = endOf(lifeSeconds);
      for (const id of ids.map(text)) {
        cached.delete(id);
        tombstones.set(id, {
          endsAt: Math.max(endsAt, tombstones.get(id)?.endsAt ?? 0),
          owner: text(owner),
        });
      }
    },
    renew: async (entries, owner, generation, lifeSeconds) => {
      const next = { generation: whole(generation), endsAt: endOf(lifeSeconds) };
      for (const { id, entry } of checked(entries)) {
        if (tombstoneOf(id)?.owner !== text(owner)) continue;
        cached.set(id, { entry, ...next });
        tombstones.delete(id);
      }
    },
    clear: async (generation) => {
      const { length } = idsOf(generation);
      cached.clear();
      return length;
    },
    stats: async (generation) => {
      const ids = idsOf(generation);
      const bytes = ids.reduce((sum, id) => sum + bytesOf(id, cached.get(id)?.entry ?? ''), 0);
      return { entries: ids.length, bytes };
    },
  };
};
