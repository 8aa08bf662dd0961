import type { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { makeBreaker } from './breaker.ts';
import { FailedTry, type FailureReason } from './failed-try.ts';
import { makePlaces } from './places.ts';
import type { Time } from './time.ts';

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

/**
 * `name` begins the events it logs, such as `kms.down`; `unavailable` makes the error of a call that failed. A call ends
 * within 3 s, and each of its tries within 1 s, unless the deadlines say otherwise.
 */
export const makeCalls = (given: {
  readonly name: string;
  readonly unavailable: () => CoreError;
  readonly log: Log;
  readonly time: Time;
  readonly deadlines?: Deadlines;
}): Calls => {
  const { name, unavailable: notAvailable, log, time, deadlines = USUAL } = given;
  const breaker = makeBreaker(time);
  const places = makePlaces(time, MOST);
  let closed = false;
  let logAt = time.now();

  const inTime = <T>(milliseconds: number, attempt: Try<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const ending = new AbortController();
      const callOff = time.after(milliseconds, () => {
        reject(new FailedTry('passing', 'timeout'));
        ending.abort();
      });
      attempt(ending.signal).then(resolve, reject).finally(callOff);
    });

  const pause = (milliseconds: number) => new Promise<void>((resolve) => time.after(milliseconds, resolve));

  const noteAnswer = () => {
    if (breaker.answered()) log.info(`${name}.up`);
  };

  const noteFailure = ({ kind, reason }: FailedTry) => {
    if (kind === 'elsewhere') noteAnswer();
    else if (breaker.failed()) log.error(`${name}.down`, { reason });
  };

  const giveUp = (reason: FailureReason): CoreError => {
    if (time.now() >= logAt) {
      log.warn(`${name}.failed`, { reason });
      logAt = time.now() + LOG_EVERY;
    }
    return notAvailable();
  };

  const tryOnce = async <T>(milliseconds: number, attempt: Try<T>): Promise<T> => {
    try {
      const answer = await inTime(milliseconds, attempt);
      noteAnswer();
      return answer;
    } catch (error) {
      if (error instanceof FailedTry) noteFailure(error);
      else noteAnswer();
      throw error;
    }
  };

  const tryUntil = async <T>(deadline: number, attempt: Try<T>, tries: number): Promise<T> => {
    for (let tried = 1; ; tried += 1) {
      if (!breaker.enter()) throw notAvailable();
      try {
        return await tryOnce(Math.min(deadlines.oneTry, deadline - time.now()), attempt);
      } catch (error) {
        if (!(error instanceof FailedTry)) throw error;
        const wait = time.random() * PAUSE * 2 ** (tried - 1);
        const isOver = tried === tries || time.now() + wait >= deadline;
        if (error.kind !== 'passing' || isOver) throw giveUp(error.reason);
        await pause(wait);
      }
    }
  };

  return {
    run: async (attempt, tries = TRIES) => {
      const deadline = time.now() + deadlines.call;
      if (closed || !(await places.take(deadlines.call))) throw notAvailable();
      try {
        return await tryUntil(deadline, attempt, tries);
      } finally {
        places.leave();
      }
    },
    isUp: breaker.isUp,
    close: () => {
      closed = true;
    },
  };
};
