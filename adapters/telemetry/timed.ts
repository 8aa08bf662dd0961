import { aroundMethods, outcomeOf, whenEnded } from '../calls/around-methods.ts';

/**
 * Times the calls of a port that return a promise; `took` is in seconds. Calls that return anything else are not timed: by then
 * they have waited for no service. An async iterable, for example, waits only while its items are read.
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
