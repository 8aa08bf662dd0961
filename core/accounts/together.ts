interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that come in while the work is under way are worked on together, `most` at a time: many callers share one
 * write. All of one piece of work get its error.
 */
export const together = <T>(
  work: (items: readonly T[]) => Promise<void>,
  most: number,
): ((item: T) => Promise<void>) => {
  const waiting: Waiting<T>[] = [];
  let underWay = false;

  const run = async () => {
    underWay = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        await work(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    underWay = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!underWay) void run();
    });
};
