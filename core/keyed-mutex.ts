import { CoreError } from './errors.ts';

/**
 * A mutex per key, within this process: work under one key runs one after the other. If a run fails because a dependency is
 * unavailable, all waiting runs fail with it, instead of each running into the same time-out.
 */
export const makeKeyedMutex = () => {
  const tails = new Map<string, Promise<void>>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = result.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof CoreError && error.kind === 'unavailable') throw error;
      },
    );
    // Avoids an unhandled rejection if no other run waits.
    tail.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
};
