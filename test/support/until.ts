import { setTimeout as pause } from 'node:timers/promises';

// The real one, also where a test has put a clock of its own in its place.
const now = performance.now.bind(performance);

/** Waits until the condition holds; throws when it does not within so many milliseconds. */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<void> => {
  const deadline = now() + milliseconds;
  while (!(await condition())) {
    if (now() > deadline) throw new Error(`Did not come about within ${milliseconds} ms`);
    await pause(5);
  }
};
