import { isBusy } from './failures.ts';

/** How long a lock of another process is waited for, in milliseconds. */
const LONGEST = 5_000;
const LONGEST_NAP = 2;

const bell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Calls again while another process holds the lock, for `longest` milliseconds at the most. The naps are short and random, since SQLite's
 * own waiting grows to 100 ms and starves whoever came second. Blocks its thread.
 */
export const patiently = <T>(call: () => T, longest = LONGEST): T => {
  const end = performance.now() + longest;
  for (let nap = 0.2; ; nap = Math.min(nap * 1.5, LONGEST_NAP)) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    Atomics.wait(bell, 0, 0, nap * (0.5 + Math.random()));
  }
};
