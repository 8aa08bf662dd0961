interface QueuedCall<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches calls: calls that arrive while a batch is running form the next batch of at most `maxItems` items, so that
 * many callers share one write. Each caller gets the result of its item, or the error of its batch.
 */
export const batched = <T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  maxItems: number,
): ((item: T) => Promise<R>) => {
  const queue: QueuedCall<T, R>[] = [];
  let isRunning = false;

  const run = async () => {
    isRunning = true;
    // Calls that the same piece of synchronous code makes after the first one join its batch.
    await undefined;
    while (queue.length > 0) {
      const batch = queue.splice(0, maxItems);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!isRunning) void run();
    });
};
