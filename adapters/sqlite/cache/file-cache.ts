import { join } from 'node:path';
import { cacheUnavailable } from '../../../core/files/errors.ts';
import type { FileCache, FileEntry } from '../../../core/files/ports.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import {
  changesOf,
  type Outcome,
  plainText,
  rowOf,
  type Statement,
  text,
  whole,
} from '../engine/statements.ts';
import { makeCacheReads } from './cache-reads.ts';
import {
  BURY,
  COUNT_FIRST,
  DROP_FIRST,
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
import { openSharedCache } from './shared-cache.ts';

export interface LocalFileCache extends FileCache {
  /** Whether it takes writes. */
  isUp(): Promise<boolean>;
  /** Calls the listener whenever the cache works again after a failure, or its file was replaced. */
  onReturn(listener: () => void): void;
  /** Waits for the writes under way. Further calls are `unavailable`. */
  close(): Promise<void>;
}

/** Entries that one step deletes, in a few milliseconds. */
const STEP = 500;
/** Bytes in use in the file above which the entries that expire first are deleted. */
const MOST_BYTES = 2 ** 30;
/** Characters that pending fills may hold in memory; further fills are refused. */
const MOST_WAITING = 16_777_216;
/**
 * Milliseconds for which the row of an expired tombstone is kept. A write that began during its life may arrive late, for
 * example after a pause of its process.
 */
const KEPT = 600_000;

/** How many rows the statement at this place of the unit changed. */
const changesAt = (outcome: Outcome, place: number): number =>
  outcome.done ? (outcome.results[place]?.changes ?? 0) : 0;

const listOfEntries = (entries: readonly FileEntry[]): string =>
  JSON.stringify(entries.map(({ id, entry }) => [plainText(id), plainText(entry)]));

const listOf = (ids: readonly string[]): string => JSON.stringify(ids.map(plainText));

/**
 * A cache in `cache.db` of the folder, shared by every process of the machine. A restart of the machine empties it. It
 * opens whatever it finds there: a file that cannot be used is made anew, and while that fails calls are `unavailable`.
 */
export const openSqliteFileCache = (given: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly mostBytes?: number;
  /** Names this boot of the machine, when it is not to be asked. */
  readonly boot?: string;
}): LocalFileCache => {
  const { folder, clock, mostBytes = MOST_BYTES, ...rest } = given;
  const listeners: (() => void)[] = [];
  const cache = openSharedCache({
    ...rest,
    file: join(folder, 'cache.db'),
    onReturn: () => {
      for (const listener of listeners) listener();
    },
  });
  let waiting = 0;

  // Each write takes away more than it brings, so that none has much to do.
  const sweep = (now: number, added: number): Statement => ({
    sql: SWEEP,
    params: [now, mostBytes, 2 * added + 2],
  });

  const put = async (entries: readonly FileEntry[], epoch: number, life: number, extend: boolean) => {
    const now = clock.now();
    const list = listOfEntries(entries);
    const params = [list, whole(epoch), now, now + whole(life) * 1_000, extend ? 1 : 0];
    return changesAt(await cache.write([sweep(now, entries.length), { sql: PUT, params }]), 1);
  };

  const remove = async (ids: readonly string[], tombstoneLife: number, mark = '') => {
    const now = clock.now();
    const list = listOf(ids);
    await cache.write([
      { sql: REMOVE, params: [list] },
      { sql: BURY, params: [list, now + whole(tombstoneLife) * 1_000, text(mark)] },
      { sql: SWEEP_TOMBSTONES, params: [now - KEPT, 2 * ids.length + 2] },
    ]);
  };

  return {
    get: makeCacheReads(cache, clock),
    fill: async (entry, epoch, life) => {
      if (waiting > MOST_WAITING) throw cacheUnavailable();
      const { length } = entry.entry;
      waiting += length;
      try {
        await put([entry], epoch, life, false);
      } finally {
        waiting -= length;
      }
    },
    load: async (entries, epoch, life) => (entries.length === 0 ? 0 : put(entries, epoch, life, true)),
    forget: async (ids, epoch) => {
      const params = [listOf(ids), whole(epoch), clock.now()];
      return changesOf(await cache.write([{ sql: FORGET, params }]));
    },
    remove,
    renew: async (entries, mark, epoch, life) => {
      const now = clock.now();
      const list = listOfEntries(entries);
      await cache.write([
        sweep(now, entries.length),
        { sql: RENEW, params: [list, whole(epoch), now, now + whole(life) * 1_000, text(mark)] },
        { sql: LIFT, params: [list, now, text(mark)] },
      ]);
    },
    clear: async (epoch) => {
      const now = clock.now();
      const last = Number(rowOf(await cache.write([{ sql: LAST, params: [] }]))?.last ?? 0);
      let entries = 0;
      for (let dropped = STEP; dropped === STEP; ) {
        const outcome = await cache.write([
          { sql: COUNT_FIRST, params: [last, whole(epoch), now, STEP] },
          { sql: DROP_FIRST, params: [last, STEP] },
        ]);
        dropped = changesAt(outcome, 1);
        entries += Number(rowOf(outcome)?.live ?? 0);
      }
      return entries;
    },
    stats: async (epoch) => {
      const row = rowOf(await cache.write([{ sql: STATS, params: [clock.now(), whole(epoch)] }]));
      return { entries: Number(row?.entries ?? 0), bytes: Number(row?.bytes ?? 0) };
    },
    isUp: async () => {
      if (!cache.isFailing()) return true;
      // A tombstone of nothing, which is over at once.
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
