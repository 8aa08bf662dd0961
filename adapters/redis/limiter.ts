import { createHash } from 'node:crypto';
import { budgetOf } from '../../core/budget.ts';
import type { Bucket, Budget, Clock, Limiter, Log } from '../../core/ports.ts';
import { openConnection } from './connection.ts';
import { makeInstances } from './instances.ts';
import { TAKE } from './limit-scripts.ts';

export interface RedisLimiter extends Limiter {
  /** Whether Redis answers; limits hold either way. */
  isUp(): Promise<boolean>;
  /** Resolves when the first attempt to connect has succeeded or failed, in little more than a second. */
  readonly tried: Promise<void>;
  /** Answers what waits. Calls after it are counted by the fallback. */
  close(): Promise<void>;
}

interface Take {
  readonly bucket: Bucket;
  readonly key: string;
  readonly answer: (budget: Budget | Promise<Budget>) => void;
}

/** Calls counted in one step of Redis, during which it serves nobody else: some tenths of a millisecond. */
const MOST = 128;
/** Milliseconds between two words that this process is alive. */
const BEAT_EVERY = 3_000;

const digestOf = (text: string) => createHash('sha256').update(text, 'utf16le').digest('base64url');

/** The calls of one turn of the event loop, in chunks that one step of Redis counts. */
const batches = (takes: readonly Take[]): readonly (readonly Take[])[] =>
  Array.from({ length: Math.ceil(takes.length / MOST) }, (_, batch) =>
    takes.slice(batch * MOST, (batch + 1) * MOST),
  );

/**
 * A limiter exact over all processes that know the address and the prefix. Calls of one turn of the event loop are one
 * round trip. Keys are `<prefix>limit:<SHA-256 of bucket and key>`, and each ends with its window. Windows are measured
 * by Redis's own clock, since those of several machines differ, unless one is given.
 *
 * What Redis does not count, because it is down, slow or full, the fallback does, in each process its share: the limit
 * divided by the number of processes that were last known, and at least 1. Nothing but these counts is lost with Redis.
 */
export const openRedisLimiter = (given: {
  readonly url: string;
  readonly log: Log;
  readonly fallback: Limiter;
  readonly clock?: Clock | undefined;
  readonly prefix?: string;
  readonly beatEvery?: number;
}): RedisLimiter => {
  const { url, log, fallback, clock, prefix = 'gatehouse:', beatEvery = BEAT_EVERY } = given;
  let waiting: Take[] = [];
  let failing = false;

  const onFailure = (reason: string) => {
    if (!failing) log.warn('limiter.failed', { reason });
    failing = true;
  };

  // That it is back a write tells, not the connection: one that is full can be connected to as well.
  const beat = async () => {
    try {
      await instances.beat();
      if (failing) log.info('limiter.back');
      failing = false;
    } catch {
      // The connection told why.
    }
  };

  const redis = openConnection({
    url,
    report: { failed: onFailure, refused: onFailure, back: () => undefined },
    onReconnect: () => void beat(),
  });
  const instances = makeInstances(redis, `${prefix}instances`);
  const beating = setInterval(beat, beatEvery).unref();

  const keyOf = ({ bucket: { name }, key }: Take) =>
    `${prefix}limit:${digestOf(`${name.length}:${name}:${key}`)}`;

  const shareOf = (bucket: Bucket): Bucket => ({
    ...bucket,
    limit: Math.min(bucket.limit, Math.max(1, Math.floor(bucket.limit / instances.count()))),
  });

  const count = async (takes: readonly Take[]) => {
    const windows = takes.map(({ bucket }) => String(bucket.seconds * 1_000));
    const now = clock === undefined ? '' : String(clock.now());
    const reply = await redis.run(TAKE, takes.map(keyOf), [now, ...windows]);
    const numbers = Array.isArray(reply) ? reply.map(Number) : [];
    for (const [place, { bucket, answer }] of takes.entries()) {
      // One that did not come back is refused, though none fails to.
      const [counted = Number.POSITIVE_INFINITY, left = 0] = numbers.slice(2 * place, 2 * place + 2);
      answer(budgetOf(bucket, counted, left));
    }
  };

  const flush = () => {
    const takes = waiting;
    waiting = [];
    for (const batch of batches(takes)) {
      count(batch).catch(() => {
        for (const { bucket, key, answer } of batch) answer(fallback.take(shareOf(bucket), key));
      });
    }
  };

  return {
    take: (bucket, key) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ bucket, key, answer: resolve });
      }),
    isUp: redis.isUp,
    tried: redis.tried,
    close: async () => {
      clearInterval(beating);
      flush();
      await instances.leave().catch(() => undefined);
      await redis.close();
    },
  };
};
