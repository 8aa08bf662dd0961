import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which a long run lets its job look whether it is still wanted. */
const LOOKS_UP_AFTER = 1_000;

/**
 * Makes a run of a job out of work that gives after each of its parts, so that the event loop has a turn after each. A run
 * that takes long ends with a number above 0 and is gone on with by the next one: in between a job can be closed. Under
 * another fence the work begins anew, since another process may have done it meanwhile.
 */
export const inSteps = (
  begin: () => AsyncGenerator<undefined, void>,
): ((fence: number) => Promise<number>) => {
  let work: { readonly steps: AsyncGenerator<undefined, void>; readonly fence: number } | undefined;
  return async (fence) => {
    const { steps } = work?.fence === fence ? work : { steps: begin() };
    work = undefined;
    const until = performance.now() + LOOKS_UP_AFTER;
    do {
      if ((await steps.next()).done) return 0;
      await setImmediate();
    } while (performance.now() < until);
    work = { steps, fence };
    return 1;
  };
};
