import type { Time } from '../calls/time.ts';

/** When calls may begin: evenly, no more than so many a minute, whoever makes them. */
export interface Pace {
  /**
   * For a call that somebody waits for: it goes before all others, at once while no more than so many are ahead of the
   * even row. False, and nothing is taken, where it would have to wait for longer than `patience` (milliseconds).
   */
  first(patience: number): Promise<boolean>;
  /** For all else: in turn, when the row comes to it. */
  next(patience: number): Promise<boolean>;
  /** A call is tried once more, which is one of the row as well. */
  count(): void;
}

/** Over any minute `perMinute` calls begin, and `ahead` more at the most. */
export const makePace = (
  time: Pick<Time, 'now' | 'after'>,
  { perMinute, ahead }: { readonly perMinute: number; readonly ahead: number },
): Pace => {
  const apart = 60_000 / perMinute;
  const queue: (() => void)[] = [];
  /** When the row comes to the next call. */
  let nextAt = Number.NEGATIVE_INFINITY;
  let isArmed = false;

  const take = () => {
    nextAt = Math.max(nextAt, time.now()) + apart;
  };
  const untilNext = () => Math.max(0, nextAt - time.now());

  const arm = () => {
    if (isArmed || queue.length === 0) return;
    isArmed = true;
    time.after(untilNext(), () => {
      isArmed = false;
      // Those that go first may have moved the row on meanwhile.
      if (untilNext() === 0) {
        take();
        queue.shift()?.();
      }
      arm();
    });
  };

  return {
    first: async (patience) => {
      const wait = Math.max(0, untilNext() - ahead * apart);
      if (wait > patience) return false;
      take();
      if (wait > 0) await new Promise<void>((resolve) => time.after(wait, resolve));
      return true;
    },
    next: async (patience) => {
      if (untilNext() + queue.length * apart > patience) return false;
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        arm();
      });
      return true;
    },
    count: take,
  };
};
