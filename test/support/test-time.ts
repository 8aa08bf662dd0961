import type { Time } from '../../adapters/calls/time.ts';

export interface TestTime extends Time {
  /** Lets so many milliseconds pass: what falls due meanwhile is called, in order. */
  advance(milliseconds: number): void;
  /** How long each callback that is due later still has to wait. */
  readonly waits: readonly number[];
  /** What `random` gives. */
  chance: number;
}

/** Time that passes when the test says so. What is due at once is called at once, in a later turn. */
export const makeTestTime = (): TestTime => {
  let now = 0;
  let due: { readonly at: number; run(): void }[] = [];

  const time: TestTime = {
    chance: 0,
    now: () => now,
    random: () => time.chance,
    after: (milliseconds, run) => {
      if (milliseconds <= 0) {
        const soon = setImmediate(run);
        return () => clearImmediate(soon);
      }
      const entry = { at: now + milliseconds, run };
      due.push(entry);
      return () => {
        due = due.filter((one) => one !== entry);
      };
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        due = due.filter((one) => one !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
    get waits() {
      return due.map(({ at }) => at - now);
    },
  };
  return time;
};
