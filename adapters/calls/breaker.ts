import { createRequire } from 'node:module';
import { FailedAttempt, type FailureReason } from './failed-attempt.ts';

/** Loads cockatiel only once it is needed: many installations call no service over the network. */
export const loadCockatiel = () => {
  const require = createRequire(import.meta.url);
  return require('cockatiel') as typeof import('cockatiel');
};

/** Failed attempts in a row that open the breaker. */
const FAILURES_TO_OPEN = 5;
/** The time between two probes of a service that is down. */
const PROBE_INTERVAL_MS = 1_000;
/** The time after which an old failure no longer counts as an outage, if no call was made since. */
const FAILURE_LIFE_MS = 60_000;

type Answer<T> = { readonly value: T } | { readonly refusal: unknown };

/** Whether the service is at fault. A failure of kind `elsewhere` is caused by the request, such as one for an unusable key. */
const isFailure = (error: unknown): boolean => error instanceof FailedAttempt && error.kind !== 'elsewhere';

/** A refusal is an answer of a working service, so the breaker counts it as a success. */
const answerOf = async <T>(attempt: () => Promise<T>): Promise<Answer<T>> => {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isFailure(error)) throw error;
    return { refusal: error };
  }
};

/** Rejects attempts while a service is down, so that callers do not wait in vain and the service can recover. */
export const makeBreaker = (listeners: { onDown(reason: FailureReason): void; onUp(): void }) => {
  const { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } =
    loadCockatiel();
  let isDown = false;
  let failedAt = 0;
  const circuit = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    // Cockatiel would measure the wait by the wall clock, which may be set back. This value makes its wait end at once, and
    // `isResting` measures the wait by the monotonic clock.
    halfOpenAfter: Number.NEGATIVE_INFINITY,
  });
  circuit.onFailure(({ handled }) => {
    if (handled) failedAt = performance.now();
  });
  // A failed probe opens the circuit again; only the first opening is an outage to report.
  circuit.onBreak((failure) => {
    if (isDown || !('error' in failure) || !(failure.error instanceof FailedAttempt)) return;
    isDown = true;
    listeners.onDown(failure.error.reason);
  });
  circuit.onReset(() => {
    isDown = false;
    listeners.onUp();
  });

  /** True for a time after the last failure, and during a probe: cockatiel would let other calls wait until the probe ends. */
  const isResting = () =>
    circuit.state === CircuitState.HalfOpen ||
    (circuit.state === CircuitState.Open && performance.now() - failedAt < PROBE_INTERVAL_MS);

  return {
    /** Runs an attempt. Throws `BrokenCircuitError` while the service is down, except for one attempt a second. */
    run: async <T>(attempt: () => Promise<T>): Promise<T> => {
      if (isResting()) throw new BrokenCircuitError();
      const answer = await circuit.execute(() => answerOf(attempt));
      if ('refusal' in answer) throw answer.refusal;
      return answer.value;
    },
    /** False while the service is down, as seen by the attempts of this process. */
    isUp: () => !isDown || performance.now() - failedAt > FAILURE_LIFE_MS,
  };
};
