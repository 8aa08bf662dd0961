import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { inTime } from './in-time.ts';

/** The default deadline of a call. A request of several calls fails within 3.5 s if the store is down. */
export const STORE_DEADLINE_MS = 2_500;
/** The deadline for a page of bulk work, for which no request waits. */
export const BULK_MS = 20_000;
/** The deadline while the store is known to be down, so that several calls in a row fail quickly. */
const SHORT_DEADLINE_MS = 150;
/** Conflicts after which a call fails. After a broken connection or a fail-over a call is repeated until its deadline. */
const MOST_CONFLICTS = 4;
/** The longest pause before the first repetition; it doubles with each. */
const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 250;
/** The time between two log lines about failures. */
const LOG_INTERVAL_MS = 60_000;

/** For a full disk, a lock or an unreachable bucket. A write may have been done if only its answer is late: a retry finds it. */
export const storeUnavailable = (retryAfter?: number) =>
  unavailable('store_unavailable', 'The store is temporarily unavailable; try again.', retryAfter);

/** For a store behind a network that cannot be reached, is too slow, or elects a primary. */
export const remoteStoreUnavailable = () => storeUnavailable(5);

class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Classifies the errors of a store's driver. */
export interface StoreFailures {
  /** A conflict or a deadlock with another call. */
  isConflict(error: unknown): boolean;
  /** Whether a repetition may succeed at once: after a conflict, a fail-over or a broken connection. */
  isPassing(error: unknown): boolean;
  /** A passing failure, or another of the server or the connection: the call itself was not wrong. */
  isOutage(error: unknown): boolean;
  /** The server answered although it failed, such as with a full disk: it may do other calls. */
  isAnswer(error: unknown): boolean;
  /** A word for the log. The message may quote values and is never logged. */
  failureWord(error: unknown): string;
}

/**
 * Makes a call, and repeats it after a transient failure. `work` must be idempotent. `attempt` counts from 0: a later attempt
 * may look for the effect of an earlier one whose answer was lost. After `until`, by `performance.now()`, nobody waits for
 * the call. Throws `unavailable` (`store_unavailable`) within the deadline (by default that of a request) while the server
 * cannot be used.
 */
export type StoreCall = <T>(
  work: (attempt: number, until: number) => Promise<T>,
  deadline?: number,
) => Promise<T>;

/** Calls to a store behind a network. */
export const makeStoreCalls = (
  failures: StoreFailures,
  {
    log,
    deadline = STORE_DEADLINE_MS,
  }: { readonly log?: Log | undefined; readonly deadline?: number | undefined },
): StoreCall => {
  const isOutage = (error: unknown) => error instanceof TooLate || failures.isOutage(error);
  let quietUntil = 0;
  let answeredAt = performance.now();
  let isDown = false;

  const report = (error: unknown) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_INTERVAL_MS;
    log?.warn('store.failed', { reason: failures.failureWord(error) });
  };

  /** Any answer within `deadline` shows that the store is up, even if its caller stopped waiting after `SHORT_DEADLINE_MS`. */
  const noteAnswer = (startedAt: number) => {
    if (performance.now() - startedAt > deadline) return;
    answeredAt = performance.now();
    isDown = false;
  };

  const runAttempts = async <T>(
    work: (attempt: number, until: number) => Promise<T>,
    startedAt: number,
    until: number,
    noteFailure: (error: unknown) => void,
  ): Promise<T> => {
    let conflicts = 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await work(attempt, until);
        noteAnswer(startedAt);
        return answer;
      } catch (error) {
        noteFailure(error);
        const hasAnswered = !isOutage(error) || failures.isAnswer(error);
        if (hasAnswered) noteAnswer(startedAt);
        if (failures.isConflict(error)) conflicts += 1;
        if (!failures.isPassing(error) || conflicts === MOST_CONFLICTS) throw error;
        const wait = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * Math.random();
        if (performance.now() + wait > until) throw error;
        await pause(wait);
      }
    }
  };

  return async (work, within = deadline) => {
    const startedAt = performance.now();
    // A call has at least the default deadline, which may have been set longer than `BULK_MS`.
    const allowed = isDown ? SHORT_DEADLINE_MS : Math.max(within, deadline);
    let failure: unknown;
    const noteFailure = (error: unknown) => {
      failure = error;
    };
    try {
      const answer = runAttempts(work, startedAt, startedAt + allowed, noteFailure);
      return await inTime(allowed, answer, () => new TooLate());
    } catch (error) {
      if (!isOutage(error)) throw error;
      // Nothing was answered since the call began.
      if (answeredAt < startedAt) isDown = true;
      // If the last attempt was late, the failure of the one before it tells the cause.
      report(failure ?? error);
      throw remoteStoreUnavailable();
    }
  };
};
