import { setTimeout as pause } from 'node:timers/promises';

// The real clock, also in tests that replace it.
const now = performance.now.bind(performance);

/** The pause between two checks grows with the time waited, because requests to a server slow other tests down. */
const SHORTEST_MS = 5;
const LONGEST_MS = 100;

/**
 * Waits until the condition holds, and throws if it does not within the time limit. The default of a minute is for tests that
 * hang: no test must fail because the machine is busy.
 */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  milliseconds = 60_000,
): Promise<void> => {
  const startedAt = now();
  while (!(await condition())) {
    const waitedMs = now() - startedAt;
    if (waitedMs > milliseconds) throw new Error(`The condition did not hold within ${milliseconds} ms`);
    await pause(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waitedMs / 20)));
  }
};

/** Repeats a call until `isDone` accepts its result, and returns that. */
export const callUntil = async <T>(call: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> => {
  let result = await call();
  await until(async () => {
    if (!isDone(result)) result = await call();
    return isDone(result);
  });
  return result;
};
