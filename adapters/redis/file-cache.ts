import { cacheUnavailable } from '../../core/files/errors.ts';
import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import type { Log } from '../../core/ports.ts';
import { type Report, reportTo, silent } from './connection-log.ts';
import { doAllPrimariesAccept, type NodeOptions, openNodes, probeFor, stepsByTag } from './nodes.ts';
import { type Connection, openConnection, replyWord } from './reconnecting-connection.ts';
import { CLEAR, COUNT, FORGET, PUT, REMOVE, RENEW, type Script, TOMBSTONE } from './scripts.ts';
import type { Client } from './single-connection.ts';

const refused = (expected: string) => new TypeError(`A cache was given something other than ${expected}.`);

/** Returns text; throws a `TypeError` for anything else, and for half a surrogate pair, which UTF-8 cannot encode. */
const textOf = (value: string): string => {
  if (typeof value !== 'string' || !value.isWellFormed()) throw refused('text');
  return value;
};

/** Checks the texts of an entry, before the first step is sent. */
const textsOf = ({ id, entry }: FileEntry): FileEntry => ({ id: textOf(id), entry: textOf(entry) });

/** Returns a whole number; throws a `TypeError` for anything else. */
const integerOf = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export interface RedisFileCache extends FileCache, Pick<Connection, 'tried' | 'wrongSetting'> {
  /** Whether it takes writes. */
  isUp(): Promise<boolean>;
  /** Called for each connection, before its first call. `replaced`: it is to another server, which may lack the last changes. */
  onReturn(listener: (replaced: boolean) => Promise<void> | void): void;
  /** Waits for the calls under way. Further calls throw `unavailable`. */
  close(): Promise<void>;
}

/** One step blocks Redis for some tenths of a millisecond. */
const KEYS_PER_STEP = 250;
/** The deadline of a call of `load` or `renew`. */
const LOAD_DEADLINE_MS = 2_000;
/** Redis refuses entries that reach it later than this after the call began: a tombstone made in between may have expired. */
const SETTABLE_MS = 5_000;

/** How much of the random id of a Redis process stands in front of its entries. */
const RUN_ID_CHARACTERS = 10;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Escapes text for a pattern of Redis. */
const escapePattern = (text: string): string => text.replace(/[*?[\]\\^-]/g, '\\$&');

/** The id of a Redis process; empty if the Redis user may not ask for it, or a proxy withholds it. */
const readRunId = async (client: Client, report: Report, deadline: number): Promise<string> => {
  // Why there is no id: Redis refused the call with this word, or else its reply lacks `run_id`.
  let reason = 'run_id';
  const reply = await client.send(['INFO', 'server'], deadline).catch((error: unknown) => {
    const word = replyWord(error);
    if (word !== 'NOPERM' && word !== 'ERR') throw error;
    reason = word;
  });
  const runId = /^run_id:(\w+)/m.exec(String(reply))?.[1]?.slice(0, RUN_ID_CHARACTERS) ?? '';
  if (runId === '') report.refused(reason);
  return runId;
};

/** Stands for the unknown id of the server before a fail-over. It differs from every id: the successor counts as `replaced`. */
const PREDECESSOR = 'predecessor';

/**
 * Opens a connection that knows which Redis process it leads to. Entries that begin with the id of another process are misses: a
 * replica that was promoted, or a server that read an old file at its start, may have an entry without its removal.
 */
const openIdentified = ({
  onConnected = async () => undefined,
  isSuccessor,
  ...options
}: NodeOptions & {
  readonly deadline: number | undefined;
  readonly onConnected?: ((replaced: boolean) => Promise<void>) | undefined;
}) => {
  let current = isSuccessor ? PREDECESSOR : undefined;
  const connection = openConnection({
    ...options,
    // `prepare` calls `onConnected` instead, which also learns whether this is another server.
    onReconnect: () => undefined,
    prepare: async (client, deadline) => {
      const runId = await readRunId(client, options.report, deadline);
      await onConnected(current !== undefined && current !== runId);
      current = runId;
    },
  });
  /** The beginning of the entries of a generation. */
  const headOf = (generation: number) => `${integerOf(generation)}.${current ?? ''}:`;
  return { ...connection, headOf };
};

type Identified = ReturnType<typeof openIdentified>;

/**
 * A cache in Redis, shared by all processes with this address and prefix. Keys are `<prefix>meta:<id>`, in a cluster
 * `<prefix>{07}meta:<id>`; values are `<generation>.<Redis process>:<entry>`, of a tombstone `-<owner>`, or `-` without an
 * owner. The cache connects by itself; without a connection calls throw `unavailable`.
 */
export const openRedisFileCache = ({
  url,
  log,
  prefix = 'gatehouse:',
  deadline,
  settableMs = Math.max(SETTABLE_MS, deadline ?? 0),
}: {
  readonly url: string;
  readonly log: Log;
  readonly prefix?: string;
  /** Milliseconds: see `SETTABLE_MS`, the default unless `deadline` is longer. */
  readonly settableMs?: number;
  /** Milliseconds for a call, by default 250, and at least 2,000 for `load` and `renew`. */
  readonly deadline?: number;
}): RedisFileCache => {
  const listeners: ((replaced: boolean) => Promise<void> | void)[] = [];
  const openWith = (report: Report, onConnected?: (replaced: boolean) => Promise<void>) =>
    openNodes({
      url,
      report,
      open: (node) => openIdentified({ ...node, deadline, onConnected }),
      refusal: cacheUnavailable,
      deadline,
    });
  const redis = openWith(reportTo(log, 'cache'), async (replaced) => {
    for (const listener of listeners) await listener(replaced);
  });
  // Large calls have connections of their own: the reply to a single read must not wait behind them, and a missed
  // deadline of one connection must not end the other. Only `redis` reports failures: both lead to the same servers.
  const bulk = openWith(silent);
  const loadDeadline = Math.max(LOAD_DEADLINE_MS, deadline ?? 0);
  const keyOf = (id: string) => `${prefix}${redis.tagOf(textOf(id))}meta:${id}`;
  /** The length of a key before `meta:`: that of the prefix and the tag. */
  const prefixLength = prefix.length + redis.tagOf('').length;

  /** Runs the work in steps. The keys of a step have one tag, and are few enough for one script. */
  const inSteps = async <Item extends { readonly id: string }, T>(
    nodes: typeof redis,
    items: readonly Item[],
    work: (node: Identified, step: readonly Item[]) => Promise<T>,
  ): Promise<readonly T[]> => {
    const steps = stepsByTag(items, ({ id }) => redis.tagOf(textOf(id)), KEYS_PER_STEP);
    return (await Promise.all(steps.map(([tag, step]) => nodes.each(tag, step, work)))).flat();
  };
  const keysOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => keyOf(id));

  const runOver = async (
    nodes: typeof redis,
    script: Script,
    ids: readonly string[],
    argsFor: (node: Identified) => readonly string[],
  ) => {
    const items = ids.map((id) => ({ id }));
    return inSteps(nodes, items, (node, step) => node.run(script, keysOf(step), argsFor(node)));
  };

  const put = async (
    node: Identified,
    entries: readonly FileEntry[],
    generation: number,
    lifeSeconds: number,
    /** `extend`: whether entries that are there live on for `lifeSeconds`. */
    options: { readonly extend: boolean; readonly deadline?: number },
  ): Promise<number> => {
    const head = node.headOf(generation);
    const keys = keysOf(entries);
    const values = entries.map(({ entry }) => head + entry);
    const until = Math.floor(node.serverTime() + settableMs);
    const args = [head, String(integerOf(lifeSeconds)), options.extend ? '1' : '0', String(until), ...values];
    const present = Number(await node.run(PUT, keys, args, options.deadline));
    if (present >= 0) return present;
    // The call came too late, or the clock of Redis was set.
    await node.readServerTime();
    throw cacheUnavailable();
  };

  /** Runs the script over all keys of the cache, in steps, and yields its replies. */
  async function* overAll(script: Script, generation: number): AsyncGenerator<unknown> {
    // In a cluster a key has a tag, each of whose characters a `?` matches.
    const pattern = `${escapePattern(prefix)}${redis.tagOf('').replace(/./g, '?')}meta:*`;
    for (const node of bulk.primaries()) {
      let cursor = '0';
      do {
        const reply = await node.call(['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_STEP)]);
        const [next, keys] = reply as [cursor: string, keys: string[]];
        const ids = keys.map((key) => key.slice(prefixLength + 'meta:'.length));
        yield* await runOver(bulk, script, ids, ({ headOf }) => [headOf(generation)]);
        cursor = next;
      } while (cursor !== '0');
    }
  }

  return {
    get: async (id, generation) =>
      redis.at(redis.tagOf(textOf(id)), async (node) => {
        const head = node.headOf(generation);
        const value = await node.call(['GET', keyOf(id)]);
        return typeof value === 'string' && value.startsWith(head) ? value.slice(head.length) : undefined;
      }),
    fill: async (entry, generation, lifeSeconds) => {
      const texts = textsOf(entry);
      await redis.at(redis.tagOf(texts.id), (node) =>
        put(node, [texts], generation, lifeSeconds, { extend: false }),
      );
    },
    load: async (entries, generation, lifeSeconds) => {
      const options = { extend: true, deadline: loadDeadline };
      const load = (node: Identified, step: readonly FileEntry[]) =>
        put(node, step, generation, lifeSeconds, options);
      return sum(await inSteps(bulk, entries.map(textsOf), load));
    },
    forget: async (ids, generation) =>
      sum((await runOver(redis, FORGET, ids, ({ headOf }) => [headOf(generation)])).map(Number)),
    remove: async (ids, lifeSeconds, owner = '') => {
      const args = [String(integerOf(lifeSeconds)), TOMBSTONE + textOf(owner)];
      await runOver(redis, REMOVE, ids, () => args);
    },
    renew: async (entries, owner, generation, lifeSeconds) => {
      const args = [TOMBSTONE + textOf(owner), String(integerOf(lifeSeconds))];
      await inSteps(bulk, entries.map(textsOf), (node, step) => {
        const head = node.headOf(generation);
        const values = step.map(({ entry }) => head + entry);
        return node.run(RENEW, keysOf(step), [...args, ...values], loadDeadline);
      });
    },
    clear: async (generation) => {
      let entries = 0;
      for await (const dropped of overAll(CLEAR, generation)) entries += Number(dropped);
      return entries;
    },
    stats: async (generation) => {
      const total = { entries: 0, bytes: 0 };
      for await (const reply of overAll(COUNT, generation)) {
        const [entries, bytes] = reply as [entries: number, bytes: number];
        total.entries += entries;
        // A key counts without its prefix and tag.
        total.bytes += bytes - entries * prefixLength;
      }
      return total;
    },
    // Probes by a write, since a full Redis still answers reads.
    isUp: () => doAllPrimariesAccept(redis, probeFor(prefix)),
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
