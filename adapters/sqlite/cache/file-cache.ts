import { join } from 'node:path';
import { cacheUnavailable } from '../../../core/files/errors.ts';
import type { FileCache, FileEntry } from '../../../core/files/ports.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import { changesOf, integer, plainText, rowOf, type Statement, text } from '../../sql/database.ts';
import { openSharedCache, type SharedCache } from './cache-database.ts';
import {
  BURY,
  COUNT_FIRST,
  DROP_FIRST,
  FIND_ALL,
  FORGET,
  LAST,
  LIFT,
  PUT,
  REMOVE,
  RENEW,
  STATS,
  SWEEP,
  SWEEP_TOMBSTONES,
} from './cache-schema.ts';

/** Reads that one query answers at most: a longer query would delay other requests. */
const READS_PER_QUERY = 64;

interface PendingRead {
  readonly id: string;
  readonly generation: number;
  readonly resolve: (entry: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** One query at the end of an event-loop turn answers all reads of that turn. Sixty single queries cost four times as much. */
export const makeCacheReads = (cache: Pick<SharedCache, 'all'>, clock: Clock): FileCache['get'] => {
  let pending: PendingRead[] = [];

  const answerReads = (reads: readonly PendingRead[], generation: number) => {
    try {
      const ids = JSON.stringify(reads.map(({ id }) => id));
      const rows = cache.all(FIND_ALL, [ids, generation, clock.now()]);
      const entries = new Map(rows.map(({ id, entry }) => [id, String(entry)]));
      for (const { id, resolve } of reads) resolve(entries.get(id));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  };

  const answer = () => {
    const reads = pending;
    pending = [];
    // There is nearly always a single generation: it hardly ever changes.
    for (const generation of new Set(reads.map((read) => read.generation))) {
      answerReads(
        reads.filter((read) => read.generation === generation),
        generation,
      );
    }
  };

  return (id, generation) =>
    new Promise((resolve, reject) => {
      pending.push({ id: plainText(id), generation: integer(generation), resolve, reject });
      if (pending.length === 1) setImmediate(answer);
      if (pending.length === READS_PER_QUERY) answer();
    });
};

export interface LocalFileCache extends FileCache {
  /** Whether it takes writes. */
  isUp(): Promise<boolean>;
  /** Calls the listener whenever the cache works again after a failure, or its file was replaced. */
  onReturn(listener: () => void): void;
  /** Waits for the writes under way. Further calls throw `unavailable`. */
  close(): Promise<void>;
}

/** Entries that one step deletes, in a few milliseconds. */
const ENTRIES_PER_STEP = 500;
/** Bytes in use in the file above which the entries that expire first are deleted. */
const MOST_BYTES = 2 ** 30;
/** Characters that pending fills may hold in memory; further fills are refused. */
const MOST_WAITING_CHARACTERS = 16_777_216;
/** The time for which an expired tombstone still rejects the old values of a process that was paused meanwhile. */
const EXPIRED_TOMBSTONE_LIFE_MS = 600_000;

const jsonOfEntries = (entries: readonly FileEntry[]): string =>
  JSON.stringify(entries.map(({ id, entry }) => [plainText(id), plainText(entry)]));

const jsonOfIds = (ids: readonly string[]): string => JSON.stringify(ids.map(plainText));

/**
 * A cache in `cache.db` of the folder, shared by every process of the machine. A restart of the machine empties it. An
 * unusable file is created anew; while that fails, calls throw `unavailable`.
 */
export const openSqliteFileCache = ({
  folder,
  clock,
  mostBytes = MOST_BYTES,
  ...options
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly mostBytes?: number;
  /** Identifies this boot of the machine in place of the kernel's boot id. */
  readonly boot?: string;
}): LocalFileCache => {
  const listeners: (() => void)[] = [];
  const cache = openSharedCache({
    ...options,
    file: join(folder, 'cache.db'),
    onReturn: () => {
      for (const listener of listeners) listener();
    },
  });
  let waitingCharacters = 0;

  // Each write deletes more entries than it adds, so that no write has much to delete.
  const sweep = (now: number, added: number): Statement => ({
    sql: SWEEP,
    params: [now, mostBytes, 2 * added + 2],
  });

  /** Adds entries without a tombstone; `extend` lengthens the life of existing ones. Returns how many were added or extended. */
  const put = async (
    entries: readonly FileEntry[],
    generation: number,
    lifeSeconds: number,
    { extend }: { readonly extend: boolean },
  ) => {
    const now = clock.now();
    const list = jsonOfEntries(entries);
    const params = [list, integer(generation), now, now + integer(lifeSeconds) * 1_000, extend ? 1 : 0];
    return changesOf(await cache.write([sweep(now, entries.length), { sql: PUT, params }]), 1);
  };

  /** `renew` with the same owner ends the tombstones early; without an owner they last until they expire. */
  const remove = async (ids: readonly string[], lifeSeconds: number, owner = '') => {
    const now = clock.now();
    const list = jsonOfIds(ids);
    await cache.write([
      { sql: REMOVE, params: [list] },
      { sql: BURY, params: [list, now + integer(lifeSeconds) * 1_000, text(owner)] },
      { sql: SWEEP_TOMBSTONES, params: [now - EXPIRED_TOMBSTONE_LIFE_MS, 2 * ids.length + 2] },
    ]);
  };

  return {
    get: makeCacheReads(cache, clock),
    fill: async (entry, generation, lifeSeconds) => {
      if (waitingCharacters > MOST_WAITING_CHARACTERS) throw cacheUnavailable();
      const { length } = entry.entry;
      waitingCharacters += length;
      try {
        await put([entry], generation, lifeSeconds, { extend: false });
      } finally {
        waitingCharacters -= length;
      }
    },
    load: async (entries, generation, lifeSeconds) =>
      entries.length === 0 ? 0 : put(entries, generation, lifeSeconds, { extend: true }),
    forget: async (ids, generation) => {
      const params = [jsonOfIds(ids), integer(generation), clock.now()];
      return changesOf(await cache.write([{ sql: FORGET, params }]));
    },
    remove,
    renew: async (entries, owner, generation, lifeSeconds) => {
      const now = clock.now();
      const list = jsonOfEntries(entries);
      await cache.write([
        sweep(now, entries.length),
        {
          sql: RENEW,
          params: [list, integer(generation), now, now + integer(lifeSeconds) * 1_000, text(owner)],
        },
        { sql: LIFT, params: [list, now, text(owner)] },
      ]);
    },
    clear: async (generation) => {
      const now = clock.now();
      // This finds the last entry by a write. Unlike a read it comes after the writes under way, so that their entries go, too.
      const last = Number(rowOf(await cache.write([{ sql: LAST, params: [] }]))?.last ?? 0);
      let entries = 0;
      let dropped: number;
      do {
        const outcome = await cache.write([
          { sql: COUNT_FIRST, params: [last, integer(generation), now, ENTRIES_PER_STEP] },
          { sql: DROP_FIRST, params: [last, ENTRIES_PER_STEP] },
        ]);
        dropped = changesOf(outcome, 1);
        entries += Number(rowOf(outcome)?.live ?? 0);
      } while (dropped === ENTRIES_PER_STEP);
      return entries;
    },
    stats: async (generation) => {
      // A `write`, though it changes nothing: the writer's thread runs the query, which would block the event loop.
      const row = rowOf(await cache.write([{ sql: STATS, params: [clock.now(), integer(generation)] }]));
      return { entries: Number(row?.entries ?? 0), bytes: Number(row?.bytes ?? 0) };
    },
    isUp: async () => {
      if (!cache.isFailing()) return true;
      // Only a write shows whether writes work again: a tombstone for no entry, which expires at once.
      return remove([''], 0).then(
        () => true,
        () => false,
      );
    },
    onReturn: (listener) => {
      listeners.push(listener);
    },
    close: cache.close,
  };
};
