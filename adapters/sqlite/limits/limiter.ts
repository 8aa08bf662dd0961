import { join } from 'node:path';
import type { Bucket, Budget, Clock, Limiter, Log } from '../../../core/ports.ts';
import { budgetOf } from '../../../core/rate-limits.ts';
import { makeFileOrMemoryCounts } from './file-or-memory-counts.ts';
import { type CallCount, type Calls, keyOf } from './memory-counts.ts';

export interface LocalLimiter extends Limiter {
  /** Tries once more to count waiting calls in the file, and closes the file. All other calls are then counted in memory. */
  close(): void;
}

interface PendingTake {
  readonly key: string;
  readonly bucket: Bucket;
  readonly answer: (budget: Budget) => void;
}

/** Calls counted in one statement, so that it takes about a millisecond at the most. */
const CALLS_PER_STATEMENT = 64;
/** Event-loop turns for which calls are gathered while more arrive: one statement costs the same for many calls. */
const TURNS = 4;
/** The time for which another process may hold the file before calls are counted without it. */
const LOCK_TIMEOUT_MS = 500;
/** The time between two deletions of old windows. */
const SWEEP_INTERVAL_MS = 1_000;

const groupByKey = (takes: readonly PendingTake[]): ReadonlyMap<string, Calls> => {
  const calls = new Map<string, Calls>();
  for (const { key, bucket } of takes) {
    calls.set(key, { count: (calls.get(key)?.count ?? 0) + 1, window: bucket.seconds * 1_000 });
  }
  return calls;
};

/** Answers the calls with their numbers within the window, in the order in which they came. `counted` includes them already. */
const answerAll = (
  takes: readonly PendingTake[],
  calls: ReadonlyMap<string, Calls>,
  counted: ReadonlyMap<string, CallCount>,
  now: number,
) => {
  const numbers = new Map<string, number>();
  for (const { key, bucket, answer } of takes) {
    // The statement returns every key. If a key were missing, its calls would be refused.
    const { count, endsAt } = counted.get(key) ?? { count: Number.POSITIVE_INFINITY, endsAt: now };
    const before = numbers.get(key) ?? count - (calls.get(key)?.count ?? 0);
    numbers.set(key, before + 1);
    answer(budgetOf(bucket, before + 1, endsAt - now));
  }
};

/**
 * A rate limiter that is exact over all processes of one machine. It counts in a file `limits.db` in the folder; one
 * statement counts all calls that arrive together. While the file cannot be used, each process counts by itself.
 */
export const makeLimiter = ({
  folder,
  clock,
  log,
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}): LocalLimiter => {
  const counts = makeFileOrMemoryCounts(join(folder, 'limits.db'), log);
  let waiting: PendingTake[] = [];
  let scheduled = false;
  let busySince: number | undefined;
  let closed = false;

  const flush = () => {
    scheduled = false;
    if (waiting.length === 0) return;
    const takes = waiting.slice(0, CALLS_PER_STATEMENT);
    const calls = groupByKey(takes);
    const now = clock.now();
    const canWait = busySince === undefined || performance.now() - busySince < LOCK_TIMEOUT_MS;
    const counted = counts.add(calls, now, canWait);
    if (counted === undefined) {
      busySince ??= performance.now();
      // At random, so that waiting processes do not collide again.
      schedule(1 + Math.random() * 2);
      return;
    }
    answerAll(takes, calls, counted, now);
    busySince = undefined;
    waiting = waiting.slice(CALLS_PER_STATEMENT);
    if (waiting.length > 0) schedule();
  };

  /** `waitedBefore`: how many calls waited one turn ago. */
  const gather = (turns: number, waitedBefore: number) => {
    if (waiting.length === waitedBefore || waiting.length >= CALLS_PER_STATEMENT || turns === 0) flush();
    else setImmediate(gather, turns - 1, waiting.length);
  };

  const schedule = (milliseconds?: number) => {
    if (scheduled) return;
    scheduled = true;
    if (milliseconds === undefined) setImmediate(gather, TURNS, 0);
    else setTimeout(flush, milliseconds);
  };

  const tend = () => {
    // `counts.tend` returns true if old windows are left, which it deletes in a later turn.
    if (!closed && counts.tend(clock.now())) setImmediate(tend);
  };
  const tending = setInterval(tend, SWEEP_INTERVAL_MS).unref();

  return {
    take: (bucket, key) =>
      new Promise((resolve) => {
        waiting.push({ key: keyOf(bucket, key), bucket, answer: resolve });
        schedule();
      }),
    close: () => {
      closed = true;
      clearInterval(tending);
      if (waiting.length > 0) flush();
      counts.close();
    },
  };
};
