import { isBusy } from './failures.ts';

/** The longest wait for another process's lock. */
const LOCK_TIMEOUT_MS = 5_000;
/** Before the random part, which adds or takes off up to half of a pause. */
const LONGEST_PAUSE_MS = 2;

/** Nothing changes this array: waiting for a change pauses the thread. */
const unchanging = new Int32Array(new SharedArrayBuffer(4));

/**
 * Repeats the call while another process holds the lock, for at most `longest` milliseconds. Blocks the thread. The pauses
 * are short and random: SQLite's own busy handler waits up to 100 ms between attempts, so that a second process may never
 * get the lock.
 */
export const retryWhileBusy = <T>(call: () => T, longest = LOCK_TIMEOUT_MS): T => {
  const end = performance.now() + longest;
  for (let pause = 0.2; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    Atomics.wait(unchanging, 0, 0, pause * (0.5 + Math.random()));
  }
};
