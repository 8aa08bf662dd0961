interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that come in while the work is under way are worked on together, `most` at a time: many callers share one
 * write. Each gets its item's result; all of one piece of work get its error.
 */
export const together = <T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  most: number,
): ((item: T) => Promise<R>) => {
  const waiting: Waiting<T, R>[] = [];
  let underWay = false;

  const run = async () => {
    underWay = true;
    // Calls of the same turn come in before the first piece of work begins.
    await undefined;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [place, { resolve }] of batch.entries()) resolve(results[place] as R);
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
