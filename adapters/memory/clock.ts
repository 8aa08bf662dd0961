import type { Clock } from '../../core/ports.ts';

/** A clock that a test sets. From there on it goes as the system's does. */
export interface MemoryClock extends Clock {
  /** Epoch milliseconds, or a date. */
  set(time: number | Date): void;
  /** Lets so many milliseconds pass at once. */
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
