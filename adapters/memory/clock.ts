import type { Clock } from '../../core/ports.ts';

/** A clock that a test sets. After that it runs like the system's. */
export interface MemoryClock extends Clock {
  /** Epoch milliseconds, or a date. */
  set(time: number | Date): void;
  /** Advances the clock. */
  pass(milliseconds: number): void;
}

export const makeMemoryClock = (): MemoryClock => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    set: (time) => {
      ahead = Number(time) - Date.now();
    },
    pass: (milliseconds) => {
      ahead += milliseconds;
    },
  };
};
