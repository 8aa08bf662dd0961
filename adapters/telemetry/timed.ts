import { aroundMethods, outcomeOf, whenEnded } from '../calls/around-methods.ts';

/**
 * Times each call of a port that returns a promise; `took` is in seconds. Methods that return at once call no service and
 * are not timed.
 */
export const timed = <Port extends object>(
  port: Port,
  note: (method: string, outcome: string, took: number) => void,
  outcomeOfValue?: (value: unknown) => string,
): Port =>
  aroundMethods(port, (method, _args, call) => {
    const startedAt = performance.now();
    const result = call();
    if (result instanceof Promise) {
      whenEnded(result, (ending) =>
        note(method, outcomeOf(ending, outcomeOfValue), (performance.now() - startedAt) / 1_000),
      );
    }
    return result;
  });
