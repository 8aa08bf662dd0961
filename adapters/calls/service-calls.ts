import { AsyncResource } from 'node:async_hooks';
import type { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { loadCockatiel, makeBreaker } from './breaker.ts';
import { FailedAttempt, type FailureReason } from './failed-attempt.ts';

/** Milliseconds for one attempt, and for a call with all its attempts and waits. */
export interface Deadlines {
  readonly attempt: number;
  readonly call: number;
}

const USUAL: Deadlines = { attempt: 1_000, call: 3_000 };
const MAX_ATTEMPTS = 3;
/** The wait before the nth repetition is random, up to 2^(n-1) times this ("full jitter"). */
const PAUSE_MS = 100;
/** The most calls at a time. Further calls are refused. */
const MOST_CALLS = { running: 32, waiting: 256 };
/** The time between two lines of the log about failed calls. */
const LOG_INTERVAL_MS = 1_000;

/** One attempt. Throws `FailedAttempt`, or a `CoreError` if the service refused the request. */
export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** Calls of one service over the network. Each has a deadline, and a breaker protects a service that is down. */
export interface Calls {
  /** `maxAttempts`: 1 for requests that must not be repeated. Throws the attempt's refusal, else the error of `unavailable`. */
  run<T>(attempt: Attempt<T>, maxAttempts?: number): Promise<T>;
  /** False while the service is down, as seen by the calls of this process. Makes no call. */
  isUp(): boolean;
  /** Refuses further calls. */
  close(): void;
}

const makePolicies = ({ attempt, call }: Deadlines) => {
  const { bulkhead, DelegateBackoff, handleWhen, retry, TimeoutStrategy, timeout } = loadCockatiel();
  // `Aggressive` ends the wait even if the work ignores its signal. `abortOnReturn: false`: the signal is aborted by the deadline
  // alone, and not when the work returns.
  const within = (milliseconds: number) =>
    timeout(milliseconds, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false });
  const fullJitter = new DelegateBackoff<{ readonly attempt: number }>(
    ({ attempt: repetition }) => Math.random() * PAUSE_MS * 2 ** (repetition - 1),
  );
  const passing = handleWhen((error) => error instanceof FailedAttempt && error.kind === 'passing');

  return {
    callDeadline: within(call),
    attemptDeadline: within(attempt),
    places: bulkhead(MOST_CALLS.running, MOST_CALLS.waiting),
    retries: (maxAttempts: number) => retry(passing, { maxAttempts: maxAttempts - 1, backoff: fullJitter }),
  };
};

/** Log events begin with `name`, such as `kms.down`; `unavailable` makes the error of a failed call. */
export const makeServiceCalls = (options: {
  readonly name: string;
  readonly unavailable: (failure?: FailedAttempt) => CoreError;
  readonly log: Log;
  readonly deadlines?: Deadlines;
}): Calls => {
  const { name, unavailable, log, deadlines = USUAL } = options;
  const { BrokenCircuitError, BulkheadRejectedError, TaskCancelledError } = loadCockatiel();
  const { callDeadline, attemptDeadline, places, retries } = makePolicies(deadlines);
  const breaker = makeBreaker({
    onDown: (reason) => log.error(`${name}.down`, { reason }),
    onUp: () => log.info(`${name}.up`),
  });
  let closed = false;
  let nextLogAt = performance.now();

  /** Turns cockatiel's error of a deadline into a `FailedAttempt`. */
  const asFailedAttempt = (error: unknown): unknown =>
    error instanceof TaskCancelledError ? new FailedAttempt('passing', 'timeout') : error;

  const runAttempt = async <T>(attempt: Attempt<T>, callSignal: AbortSignal): Promise<T> => {
    // The deadline of the call may have passed while it waited for a place or between two attempts.
    callSignal.throwIfAborted();
    return breaker.run(() =>
      attemptDeadline
        .execute(({ signal }) => attempt(signal), callSignal)
        .catch((error: unknown) => {
          throw asFailedAttempt(error);
        }),
    );
  };

  const logFailure = (reason: FailureReason) => {
    if (performance.now() < nextLogAt) return;
    log.warn(`${name}.failed`, { reason });
    nextLogAt = performance.now() + LOG_INTERVAL_MS;
  };

  const refusalFor = (error: unknown): unknown => {
    if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) return unavailable();
    const failure = asFailedAttempt(error);
    if (!(failure instanceof FailedAttempt)) return failure;
    logFailure(failure.reason);
    return unavailable(failure);
  };

  return {
    run: async (attempt, maxAttempts = MAX_ATTEMPTS) => {
      if (closed) throw unavailable();
      try {
        return await callDeadline.execute(({ signal }) =>
          // Bound: a call that waited would run in the async context (such as the trace) of the call that made room.
          // `places` gets no signal: cockatiel would not free the place of a call that was aborted while waiting.
          places.execute(
            AsyncResource.bind(() => retries(maxAttempts).execute(() => runAttempt(attempt, signal), signal)),
          ),
        );
      } catch (error) {
        throw refusalFor(error);
      }
    },
    isUp: breaker.isUp,
    close: () => {
      closed = true;
    },
  };
};
