import { CoreError } from './errors.ts';

/**
 * Work on one thing that goes one after the other, within this process. Where one fails because something is
 * unavailable, those who wait behind it fail with it, rather than each finding out in its turn.
 */
export const makeTurns = () => {
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
