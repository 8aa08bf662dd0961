import { loadCockatiel } from './cockatiel.ts';
import { FailedTry, type FailureReason } from './failed-try.ts';

/** Failed tries in a row after which a service is left alone. */
const IN_A_ROW = 5;
/** Milliseconds between the tries that find out whether it is back. */
const PROBE_EVERY = 1_000;
/** Milliseconds after which a failure says nothing about the present, if no call was made since. */
const LASTING = 60_000;

/** Refuses tries of a service that is down: the caller would wait for nothing, and the service could not recover. */
export interface Breaker {
  /** Runs a try. Throws `BrokenCircuitError` while the service is down, but for one try a second. */
  run<T>(attempt: () => Promise<T>): Promise<T>;
  /** False while the service is down, as far as the tries of this process tell. */
  isUp(): boolean;
}

type Answer<T> = { readonly value: T } | { readonly refusal: unknown };

const isFailure = (error: unknown): boolean => error instanceof FailedTry && error.kind !== 'elsewhere';

/** A refusal is an answer: the service works. The breaker counts it as a success. */
const answerOf = async <T>(attempt: () => Promise<T>): Promise<Answer<T>> => {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isFailure(error)) throw error;
    return { refusal: error };
  }
};

export const makeBreaker = (told: { onDown(reason: FailureReason): void; onUp(): void }): Breaker => {
  const { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } =
    loadCockatiel();
  let isDown = false;
  let failedAt = 0;
  const circuit = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(IN_A_ROW),
    // cockatiel measures this by the wall clock: set back by an hour, it would keep the service down for an hour.
    // `rests` measures it by the monotonic clock.
    halfOpenAfter: Number.NEGATIVE_INFINITY,
  });
  circuit.onFailure(({ handled }) => {
    if (handled) failedAt = performance.now();
  });
  // A probe that fails opens the circuit again.
  circuit.onBreak((broken) => {
    if (isDown || !('error' in broken) || !(broken.error instanceof FailedTry)) return;
    isDown = true;
    told.onDown(broken.error.reason);
  });
  circuit.onReset(() => {
    isDown = false;
    told.onUp();
  });

  /** cockatiel lets calls wait until a probe has ended, which may take seconds; ours are refused meanwhile. */
  const rests = () =>
    circuit.state === CircuitState.HalfOpen ||
    (circuit.state === CircuitState.Open && performance.now() - failedAt < PROBE_EVERY);

  return {
    run: async (attempt) => {
      if (rests()) throw new BrokenCircuitError();
      const answer = await circuit.execute(() => answerOf(attempt));
      if ('refusal' in answer) throw answer.refusal;
      return answer.value;
    },
    isUp: () => !isDown || performance.now() - failedAt > LASTING,
  };
};
