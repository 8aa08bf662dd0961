import { requireArguments } from '../../core/check-arguments.ts';
import type { Clock } from '../../core/ports.ts';
import { custom, NUMBER } from '../../core/schema.ts';

/** A clock that a test sets. From the set time on, it runs like the system's clock. */
export interface MemoryClock extends Clock {
  /** Epoch milliseconds, or a date. */
  set(time: number | Date): void;
  /** Advances the clock. */
  pass(milliseconds: number): void;
}

const TIME = custom('a number or a valid date', (value) =>
  Number.isFinite(value instanceof Date ? value.getTime() : value),
);

export const makeMemoryClock = (): MemoryClock => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    set: (time) => {
      requireArguments([time], { time: TIME });
      ahead = Number(time) - Date.now();
    },
    pass: (milliseconds) => {
      requireArguments([milliseconds], { milliseconds: NUMBER });
      ahead += milliseconds;
    },
  };
};
