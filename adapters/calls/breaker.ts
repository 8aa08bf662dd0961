import type { Time } from './time.ts';

/** Failed tries in a row after which a service is left alone. */
const IN_A_ROW = 5;
/** Milliseconds between the tries that find out whether it is back. */
const PROBE_EVERY = 1_000;
/** Milliseconds: a failure that is older tells nothing of now, when nobody has asked since. */
const LASTING = 60_000;

/** Keeps calls away from a service that does not answer: they would wait for nothing, and it would have them all. */
export interface Breaker {
  /** Whether a try may begin: while the service is down, one a second. */
  enter(): boolean;
  /** The service answered a try. True when it was down until now. */
  answered(): boolean;
  /** A try failed. True when the service is down from now on. */
  failed(): boolean;
  /** False while the service is down, as far as the tries of this process tell. */
  isUp(): boolean;
}

export const makeBreaker = ({ now }: Pick<Time, 'now'>): Breaker => {
  let failures = 0;
  let failedAt = 0;
  let probeAt = 0;
  const isOpen = () => failures >= IN_A_ROW;

  return {
    enter: () => {
      if (!isOpen()) return true;
      if (now() < probeAt) return false;
      probeAt = now() + PROBE_EVERY;
      return true;
    },
    answered: () => {
      const wasOpen = isOpen();
      failures = 0;
      return wasOpen;
    },
    failed: () => {
      failures += 1;
      failedAt = now();
      probeAt = failedAt + PROBE_EVERY;
      return failures === IN_A_ROW;
    },
    isUp: () => !isOpen() || now() - failedAt > LASTING,
  };
};
