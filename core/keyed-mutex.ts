import { CoreError } from './errors.ts';

/**
 * A mutex per key, within this process: work under one key runs one after the other. If one fails because a dependency
 * is unavailable, all that wait behind it fail with it, instead of each running into the same time-out.
 */
export const makeKeyedMutex = () => {
  const last = new Map<string, Promise<void>>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const over = mine.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof CoreError && error.kind === 'unavailable') throw error;
      },
    );
    over.catch(() => undefined);
    last.set(key, over);
    try {
      return await mine;
    } finally {
      if (last.get(key) === over) last.delete(key);
    }
  };
};
