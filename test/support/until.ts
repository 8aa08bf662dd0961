import { setTimeout as pause } from 'node:timers/promises';

// The real one, also where a test has put a clock of its own in its place.
const now = performance.now.bind(performance);

/** Milliseconds between two looks. They grow with the time waited: to ask a server costs what other tests could use. */
const SHORTEST = 5;
const LONGEST = 100;

/**
 * Waits until the condition holds; throws when it does not within so many milliseconds. The minute that is usual is for what
 * hangs: no test is to fail because the machine has other work.
 */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  milliseconds = 60_000,
): Promise<void> => {
  const began = now();
  while (!(await condition())) {
    const waited = now() - began;
    if (waited > milliseconds) throw new Error(`Did not come about within ${milliseconds} ms`);
    await pause(Math.min(LONGEST, Math.max(SHORTEST, waited / 20)));
  }
};

/** Calls until the result is one to go on with, and gives that. */
export const callUntil = async <T>(call: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> => {
  let result = await call();
  await until(async () => {
    if (!isDone(result)) result = await call();
    return isDone(result);
  });
  return result;
};
