/** Lets concurrent calls for one key share one run: that of the first call's `work`. */
export const makeSharedCalls = <T>() => {
  const running = new Map<string, Promise<T>>();
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const run = running.get(key) ?? work().finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };
};
