import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the condition holds; throws when it does not within so many milliseconds. */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<void> => {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Did not come about within ${milliseconds} ms`);
    await pause(5);
  }
};
