import { aroundMethods, whenEnded } from '../calls/around-methods.ts';
import { outcomeOf } from '../calls/outcome.ts';

/**
 * The same port, with each call that gives a promise timed in seconds. A method that answers at once asks nobody, so it
 * is no call.
 */
export const timed = <Port extends object>(
  port: Port,
  note: (method: string, outcome: string, took: number) => void,
  outcomeOfValue?: (value: unknown) => string,
): Port =>
  aroundMethods(port, (method, _given, call) => {
    const began = performance.now();
    const result = call();
    if (result instanceof Promise) {
      whenEnded(result, (ending) =>
        note(method, outcomeOf(ending, outcomeOfValue), (performance.now() - began) / 1_000),
      );
    }
    return result;
  });
