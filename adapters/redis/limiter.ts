import { createHash, randomUUID } from 'node:crypto';
import type { Bucket, Budget, Clock, Limiter, Log } from '../../core/ports.ts';
import { budgetOf } from '../../core/rate-limits.ts';
import { callsAt, doAllPrimariesAccept, openNodes, probeFor, stepsByTag } from './nodes.ts';
import { type Calls, type Connection, openConnection } from './reconnecting-connection.ts';
import { script } from './scripts.ts';

/** The time after its last heartbeat for which a process counts as alive. */
const HEARTBEAT_LIFE_MS = 10_000;

/** The processes that share a Redis. */
export const makeInstances = (redis: Calls, key: string) => {
  const member = randomUUID();
  let lastCount = 1;
  let lastCountAt = Number.NEGATIVE_INFINITY;

  return {
    /** The last known number of processes, including this process; at least 1. */
    count: () => lastCount,
    /** Records that this process is alive, and reads the number of live processes. Fails while Redis rejects writes. */
    beat: async () => {
      const count = Number(await redis.run(BEAT, [key], [member, String(HEARTBEAT_LIFE_MS)]));
      // After Redis was down, or lost its data, the other processes return to it one by one: a lower count is ignored at first.
      if (count < lastCount && performance.now() - lastCountAt < HEARTBEAT_LIFE_MS) return;
      lastCount = Math.max(1, count);
      lastCountAt = performance.now();
    },
    leave: async () => {
      await redis.call(['ZREM', key, member]);
    },
  };
};

const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Counts a call for each key, in their order; a key may occur more than once. ARGV: the time in epoch milliseconds, or an
 * empty text for Redis's own clock, and the length of each call's window in milliseconds. Returns for each call its number
 * in its window, from 1, and the milliseconds until the window ends. A window never ends later than its length from now,
 * so that a clock that is set back cannot make it endless. The values are `<count>:<end>`.
 */
export const TAKE = script(`
  ${NOW}
  now = tonumber(ARGV[1]) or now
  local replies = {}
  for i, key in ipairs(KEYS) do
    local window = ARGV[i + 1]
    local count, ends = 0, now + window
    local found = redis.call('GET', key)
    if found then
      local counted, ending = found:match('^(%d+):(%d+)$')
      if ending and tonumber(ending) > now then
        count, ends = tonumber(counted), math.min(tonumber(ending), ends)
      end
    end
    redis.call('SET', key, string.format('%.0f:%.0f', count + 1, ends), 'PX', window)
    replies[2 * i - 1], replies[2 * i] = count + 1, ends - now
  end
  return replies
`);

/**
 * Records that the member ARGV[1] is alive for ARGV[2] milliseconds, and returns the number of live members. KEYS[1]: a
 * sorted set of members by the time of their last heartbeat. Members in the future, after a clock was set back, are
 * removed as well.
 */
const BEAT = script(`
  ${NOW}
  local life = tonumber(ARGV[2])
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - life))
  redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now), '+inf')
  redis.call('PEXPIRE', KEYS[1], life)
  return redis.call('ZCARD', KEYS[1])
`);

export interface RedisLimiter extends Limiter, Pick<Connection, 'tried' | 'wrongSetting'> {
  /** Whether Redis answers; limits hold either way. */
  isUp(): Promise<boolean>;
  /** Answers waiting calls. The fallback counts later calls. */
  close(): Promise<void>;
}

interface PendingTake {
  readonly bucket: Bucket;
  readonly key: string;
  readonly digest: string;
  readonly answer: (budget: Budget | Promise<Budget>) => void;
}

/** One step blocks Redis for some tenths of a millisecond. */
const CALLS_PER_STEP = 128;
const HEARTBEAT_INTERVAL_MS = 3_000;

/** UTF-16 keeps half a surrogate pair, which UTF-8 would replace: different keys would become equal. */
const digestOf = (text: string) => createHash('sha256').update(text, 'utf16le').digest('base64url');

/**
 * A limiter that is exact over all processes with this address and prefix. Calls of one turn of the event loop share a
 * round trip to each server. Keys are `<prefix>limit:<SHA-256 of bucket and key>`, in a cluster with a hash tag such as `{07}`
 * before `limit`, and each expires a window's length after its last call. Redis's own clock measures windows unless `clock` is
 * set, since the clocks of several machines differ.
 *
 * While Redis is down, slow or full, the fallback counts, in each process up to its share: the limit divided by the last
 * known number of processes, at least 1. A Redis that loses its data loses only the counts of current windows.
 */
export const openRedisLimiter = ({
  url,
  log,
  fallback,
  clock,
  prefix = 'gatehouse:',
  beatEvery = HEARTBEAT_INTERVAL_MS,
  deadline,
}: {
  readonly url: string;
  readonly log: Log;
  readonly fallback: Limiter;
  readonly clock?: Clock | undefined;
  readonly prefix?: string;
  readonly beatEvery?: number;
  /** Milliseconds for a call, by default 250. */
  readonly deadline?: number;
}): RedisLimiter => {
  let waiting: PendingTake[] = [];
  /** The reasons for which Redis has failed since it last took a write. */
  const failures = new Set<string>();

  const onFailure = (reason: string) => {
    if (!failures.has(reason)) log.warn('limiter.failed', { reason });
    failures.add(reason);
  };

  // Only a write shows that Redis is back: a full Redis accepts connections, too.
  const sendBeat = async () => {
    try {
      await instances.beat();
      if (failures.size > 0 && !(await doAllPrimariesAccept(nodes, probeFor(prefix)))) return;
      if (failures.size > 0) log.info('limiter.back');
      failures.clear();
    } catch {
      // The connection has reported the reason.
    }
  };
  let isOpen = true;
  let lastBeat: Promise<void> | undefined;
  const beat = () => {
    if (isOpen) lastBeat = sendBeat();
  };

  const nodes = openNodes({
    url,
    report: {
      failed: onFailure,
      refused: (reason) => {
        if (failures.size === 0) onFailure(reason);
      },
      back: beat,
    },
    // Called after the first connection, too, so that the first heartbeat does not wait for the timer.
    open: (node) => openConnection({ ...node, onReconnect: beat, deadline }),
    deadline,
  });
  const instancesTag = nodes.tagOf('instances');
  const instances = makeInstances(callsAt(nodes, instancesTag), `${prefix}${instancesTag}instances`);
  const beatTimer = setInterval(beat, beatEvery).unref();

  const shareOf = (bucket: Bucket): Bucket => ({
    ...bucket,
    limit: Math.min(bucket.limit, Math.max(1, Math.floor(bucket.limit / instances.count()))),
  });

  const countTakes = async (node: Connection, takes: readonly PendingTake[]) => {
    const windows = takes.map(({ bucket }) => String(bucket.seconds * 1_000));
    const now = clock === undefined ? '' : String(clock.now());
    const keys = takes.map(({ digest }) => `${prefix}${nodes.tagOf(digest)}limit:${digest}`);
    const reply = await node.run(TAKE, keys, [now, ...windows]);
    const numbers = Array.isArray(reply) ? reply.map(Number) : [];
    for (const [index, { bucket, answer }] of takes.entries()) {
      // Two numbers for each call. If they were missing, the call would be rejected.
      const [counted = Number.POSITIVE_INFINITY, remaining = 0] = numbers.slice(2 * index, 2 * index + 2);
      answer(budgetOf(bucket, counted, remaining));
    }
  };

  const flush = () => {
    const takes = waiting;
    waiting = [];
    for (const [tag, batch] of stepsByTag(takes, ({ digest }) => nodes.tagOf(digest), CALLS_PER_STEP)) {
      nodes.each(tag, batch, countTakes).catch(() => {
        for (const { bucket, key, answer } of batch) answer(fallback.take(shareOf(bucket), key));
      });
    }
  };

  return {
    take: (bucket, key) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        // The length tells where the name ends.
        const digest = digestOf(`${bucket.name.length}:${bucket.name}:${key}`);
        waiting.push({ bucket, key, digest, answer: resolve });
      }),
    isUp: () => doAllPrimariesAccept(nodes, () => ['PING']),
    tried: nodes.tried,
    wrongSetting: nodes.wrongSetting,
    close: async () => {
      isOpen = false;
      clearInterval(beatTimer);
      flush();
      // The last heartbeat must end first: if Redis lacks its script, the heartbeat is sent a second time, and after `leave` that
      // would count this process again.
      await lastBeat;
      await instances.leave().catch(() => undefined);
      await nodes.close();
    },
  };
};
