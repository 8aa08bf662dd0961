import { AsyncResource } from 'node:async_hooks';
import type { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { makeBreaker } from './breaker.ts';
import { loadCockatiel } from './cockatiel.ts';
import { FailedTry, type FailureReason } from './failed-try.ts';

/** Milliseconds for one try, and for a call with all its tries and waits. */
export interface Deadlines {
  readonly oneTry: number;
  readonly call: number;
}

const USUAL: Deadlines = { oneTry: 1_000, call: 3_000 };
const TRIES = 3;
/** Milliseconds: before the nth repetition it waits up to 2^(n-1) times this, at random ("full jitter"). */
const PAUSE = 100;
const MOST = { running: 32, waiting: 256 };
/** Milliseconds between two lines of the log about failed calls. */
const LOG_EVERY = 1_000;

/** One try. It throws `FailedTry`, or a `CoreError` when the service answered and the answer is no. */
export type Try<T> = (signal: AbortSignal) => Promise<T>;

/** Calls of one service over the network: each ends in time, and a service that is down is left alone. */
export interface Calls {
  /** `tries`: 1 for what must not happen twice. Throws the `unavailable` error that it was made with. */
  run<T>(attempt: Try<T>, tries?: number): Promise<T>;
  /** False while the service is down, as far as the calls of this process tell. It costs no call. */
  isUp(): boolean;
  /** Refuses further calls. */
  close(): void;
}

/** How tries are spaced and ended, by cockatiel. */
const makePolicies = ({ oneTry, call }: Deadlines) => {
  const { bulkhead, DelegateBackoff, handleWhen, retry, TimeoutStrategy, timeout } = loadCockatiel();
  const within = (milliseconds: number) =>
    timeout(milliseconds, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false });
  const fullJitter = new DelegateBackoff<{ readonly attempt: number }>(
    ({ attempt }) => Math.random() * PAUSE * 2 ** (attempt - 1),
  );
  const passing = handleWhen((error) => error instanceof FailedTry && error.kind === 'passing');

  return {
    callDeadline: within(call),
    tryDeadline: within(oneTry),
    places: bulkhead(MOST.running, MOST.waiting),
    retries: (tries: number) => retry(passing, { maxAttempts: tries - 1, backoff: fullJitter }),
  };
};

/**
 * `name` begins the events it logs, such as `kms.down`; `unavailable` makes the error of a call that failed. A call ends
 * within 3 s, and each of its tries within 1 s, unless the deadlines say otherwise.
 */
export const makeCalls = (given: {
  readonly name: string;
  readonly unavailable: () => CoreError;
  readonly log: Log;
  readonly deadlines?: Deadlines;
}): Calls => {
  const { name, unavailable: notAvailable, log, deadlines = USUAL } = given;
  const { BrokenCircuitError, BulkheadRejectedError, TaskCancelledError } = loadCockatiel();
  const { callDeadline, tryDeadline, places, retries } = makePolicies(deadlines);
  const breaker = makeBreaker({
    onDown: (reason) => log.error(`${name}.down`, { reason }),
    onUp: () => log.info(`${name}.up`),
  });
  let closed = false;
  let logAt = performance.now();

  /** cockatiel's error of a deadline, as the failure that it is. */
  const asFailedTry = (error: unknown): unknown =>
    error instanceof TaskCancelledError ? new FailedTry('passing', 'timeout') : error;

  const tryOnce = async <T>(attempt: Try<T>, call: AbortSignal): Promise<T> => {
    // The call's deadline may have passed while it waited for its place, or between two tries.
    call.throwIfAborted();
    return breaker.run(() =>
      tryDeadline
        .execute(({ signal }) => attempt(signal), call)
        .catch((error: unknown) => {
          throw asFailedTry(error);
        }),
    );
  };

  const logFailure = (reason: FailureReason) => {
    if (performance.now() < logAt) return;
    log.warn(`${name}.failed`, { reason });
    logAt = performance.now() + LOG_EVERY;
  };

  const refusalFor = (error: unknown): unknown => {
    if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) return notAvailable();
    const failure = asFailedTry(error);
    if (!(failure instanceof FailedTry)) return failure;
    logFailure(failure.reason);
    return notAvailable();
  };

  return {
    run: async (attempt, tries = TRIES) => {
      if (closed) throw notAvailable();
      try {
        return await callDeadline.execute(({ signal }) =>
          // Bound, since cockatiel runs a call that waited in the context (such as the trace) of the one before it.
          // Without the signal: cockatiel would not pass on the place of a call that gave up waiting.
          places.execute(
            AsyncResource.bind(() => retries(tries).execute(() => tryOnce(attempt, signal), signal)),
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
