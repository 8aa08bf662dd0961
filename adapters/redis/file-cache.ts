import { cacheUnavailable } from '../../core/files/errors.ts';
import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import type { Log } from '../../core/ports.ts';
import { type Connection, openConnection } from './connection.ts';
import { reportTo, silent } from './report.ts';
import { textOf, wholeOf } from './scalars.ts';
import { CLEAR, COUNT, FORGET, PUT, REMOVE, RENEW, type Script, TOMBSTONE } from './scripts.ts';

export interface RedisFileCache extends FileCache {
  /** Whether it takes writes. */
  isUp(): Promise<boolean>;
  /** Resolves when the first attempt to connect has succeeded or failed, in little more than a second. */
  readonly tried: Promise<void>;
  /** The word by which Redis refused the user, the password or the database, when it was last tried. */
  wrongSetting(): string | undefined;
  /** Calls the listener each time that a connection is made, before the first call goes through it. */
  onReturn(listener: () => void): void;
  /** Waits for the calls under way. Further calls are `unavailable`. */
  close(): Promise<void>;
}

/** Keys in one step of Redis, during which it serves nobody else: some tenths of a millisecond. */
const STEP = 250;
/** Milliseconds that loading may take. */
const LOAD_DEADLINE = 2_000;
/**
 * Milliseconds after which Redis sets no entry any more. A call that was given up may still reach it, after a pause of
 * the machine or on a bad line: then the tombstone that would refuse the entry may be over.
 */
const LATEST = 5_000;

/** Milliseconds that what `isUp` writes lives. */
const PROBE_LIFE = 1_000;

const steps = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / STEP) }, (_, step) =>
    list.slice(step * STEP, (step + 1) * STEP),
  );

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** For a pattern of Redis that means this text. */
const literally = (text: string): string => text.replace(/[*?[\]\\^-]/g, '\\$&');

/**
 * A cache in Redis, shared by all that know the address and the prefix. Keys are `<prefix>meta:<id>`, values the epoch,
 * a colon and the entry. It connects by itself; while it is not connected calls are `unavailable`.
 */
export const openRedisFileCache = (given: {
  readonly url: string;
  readonly log: Log;
  readonly prefix?: string;
  readonly latest?: number;
}): RedisFileCache => {
  const { url, log, prefix = 'gatehouse:', latest = LATEST } = given;
  const listeners: (() => void)[] = [];
  const redis = openConnection({
    url,
    report: reportTo(log, 'cache'),
    onReconnect: () => {
      for (const listener of listeners) listener();
    },
    refusal: cacheUnavailable,
  });
  // What is large has a connection of its own: an answer of a single read must not wait behind it, and a deadline that
  // ends the one must not end the other.
  const bulk = openConnection({
    url,
    report: silent,
    onReconnect: () => undefined,
    refusal: cacheUnavailable,
  });
  const keyOf = (id: string) => `${prefix}meta:${textOf(id)}`;
  const headOf = (epoch: number) => `${wholeOf(epoch)}:`;

  const put = async (
    entries: readonly FileEntry[],
    epoch: number,
    life: number,
    how: { readonly by: Connection; readonly extend: boolean; readonly deadline?: number },
  ): Promise<number> => {
    const { by } = how;
    const head = headOf(epoch);
    const keys = entries.map(({ id }) => keyOf(id));
    const values = entries.map(({ entry }) => head + textOf(entry));
    const until = Math.floor(by.serverTime() + latest);
    const args = [head, String(wholeOf(life)), how.extend ? '1' : '0', String(until), ...values];
    const there = Number(await by.run(PUT, keys, args, how.deadline));
    if (there >= 0) return there;
    // Or its clock was set.
    await by.readServerTime();
    throw cacheUnavailable();
  };

  const inSteps = async (script: Script, ids: readonly string[], args: readonly string[]) => {
    const keys = ids.map(keyOf);
    const counts = await Promise.all(steps(keys).map((step) => redis.run(script, step, args)));
    return sum(counts.map(Number));
  };

  /** Runs the script over all keys of ours, some at a time, and gives its replies. */
  async function* overAll(script: Script, args: readonly string[]): AsyncGenerator<unknown> {
    const pattern = `${literally(`${prefix}meta:`)}*`;
    let cursor = '0';
    do {
      const reply = await bulk.call(['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(STEP)]);
      const [next, keys] = reply as [cursor: string, keys: string[]];
      if (keys.length > 0) yield await bulk.run(script, keys, args);
      cursor = next;
    } while (cursor !== '0');
  }

  return {
    get: async (id, epoch) => {
      const head = headOf(epoch);
      const value = await redis.call(['GET', keyOf(id)]);
      return typeof value === 'string' && value.startsWith(head) ? value.slice(head.length) : undefined;
    },
    fill: async (entry, epoch, life) => {
      await put([entry], epoch, life, { by: redis, extend: false });
    },
    load: async (entries, epoch, life) => {
      const how = { by: bulk, extend: true, deadline: LOAD_DEADLINE };
      return sum(await Promise.all(steps(entries).map((step) => put(step, epoch, life, how))));
    },
    forget: async (ids, epoch) => inSteps(FORGET, ids, [headOf(epoch)]),
    remove: async (ids, tombstoneLife, mark = '') => {
      await inSteps(REMOVE, ids, [String(wholeOf(tombstoneLife)), TOMBSTONE + textOf(mark)]);
    },
    renew: async (entries, mark, epoch, life) => {
      const [tombstone, head] = [TOMBSTONE + textOf(mark), headOf(epoch)];
      await Promise.all(
        steps(entries).map((step) =>
          bulk.run(
            RENEW,
            step.map(({ id }) => keyOf(id)),
            [tombstone, String(wholeOf(life)), ...step.map(({ entry }) => head + textOf(entry))],
            LOAD_DEADLINE,
          ),
        ),
      );
    },
    clear: async (epoch) => {
      let entries = 0;
      for await (const dropped of overAll(CLEAR, [headOf(epoch)])) entries += Number(dropped);
      return entries;
    },
    stats: async (epoch) => {
      const total = { entries: 0, bytes: 0 };
      for await (const reply of overAll(COUNT, [headOf(epoch)])) {
        const [entries, bytes] = reply as [entries: number, bytes: number];
        total.entries += entries;
        total.bytes += bytes - entries * prefix.length;
      }
      return total;
    },
    // One that is full answers, and reads as before.
    isUp: () =>
      redis.call(['SET', `${prefix}up`, '', 'PX', String(PROBE_LIFE)]).then(
        () => true,
        () => false,
      ),
    wrongSetting: redis.wrongSetting,
    tried: Promise.all([redis.tried, bulk.tried]).then(() => undefined),
    onReturn: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      await Promise.all([redis.close(), bulk.close()]);
    },
  };
};
