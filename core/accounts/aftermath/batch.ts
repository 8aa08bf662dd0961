interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches calls: those that arrive while a batch is under way form the next one, of at most `most` items, so that many
 * callers share one write. Each caller gets the result of its item. If a batch fails, all its callers get the error.
 */
export const batched = <T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  most: number,
): ((item: T) => Promise<R>) => {
  const waiting: Waiting<T, R>[] = [];
  let underWay = false;

  const run = async () => {
    underWay = true;
    // Calls of the same event-loop turn join the first batch.
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
