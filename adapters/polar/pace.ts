/** Spaces the calls of all callers evenly: in any minute at most `perMinute` plus `ahead` calls begin. See decision 0032. */
export const makePace = ({ perMinute, ahead }: { readonly perMinute: number; readonly ahead: number }) => {
  /** Milliseconds between the beginnings of two calls. */
  const apart = 60_000 / perMinute;
  const queue: (() => void)[] = [];
  /** When the next call may begin. */
  let nextAt = Number.NEGATIVE_INFINITY;
  let isArmed = false;

  const takeTurn = () => {
    nextAt = Math.max(nextAt, performance.now()) + apart;
  };
  const untilNext = () => Math.max(0, nextAt - performance.now());

  const arm = () => {
    if (isArmed || queue.length === 0) return;
    isArmed = true;
    setTimeout(() => {
      isArmed = false;
      // A call that goes first may have taken this turn meanwhile.
      if (untilNext() === 0) {
        takeTurn();
        queue.shift()?.();
      }
      arm();
    }, untilNext());
  };

  return {
    /**
     * For a call that a user waits for. It precedes all others, and begins at once while at most `ahead` calls are ahead of the
     * even rate. Returns false, and takes no turn, if it would wait longer than `patience` (milliseconds).
     */
    first: async (patience: number): Promise<boolean> => {
      const wait = Math.max(0, untilNext() - ahead * apart);
      if (wait > patience) return false;
      takeTurn();
      if (wait > 0) await new Promise<void>((resolve) => setTimeout(resolve, wait));
      return true;
    },
    /** For all other calls: one after the other, at the even rate. Returns false as `first` does. */
    next: async (patience: number): Promise<boolean> => {
      if (untilNext() + queue.length * apart > patience) return false;
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        arm();
      });
      return true;
    },
    /** Counts a repetition of a call, which the provider counts as well. */
    count: takeTurn,
  };
};
