/** What waits and deadlines are measured with; a test brings one that it moves itself. */
export interface Time {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  /** Calls back once, after so many milliseconds. What it gives calls that off. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemTime: Time = {
  now: () => performance.now(),
  random: Math.random,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
