import type { FilesPolicy } from './policy.ts';
import type { Accesses, FilesPorts } from './ports.ts';

/** Counts single reads in memory and writes them in bulk, since a write for each would cost more than the read. */
export interface AccessCounts {
  note(id: string): void;
  /** Writes what waits; what cannot be written goes on waiting. */
  flush(): Promise<void>;
}

export const makeAccessCounts = (
  needs: Pick<FilesPorts, 'activity' | 'clock' | 'log'> & { readonly policy: FilesPolicy },
): AccessCounts => {
  const { activity, clock, log, policy } = needs;
  let waiting = new Map<string, Accesses>();
  let writing: Promise<void> | undefined;

  const add = ({ id, count, lastAt }: Accesses) => {
    const known = waiting.get(id);
    if (known === undefined && waiting.size >= 2 * policy.accessesWaiting) return;
    waiting.set(id, {
      id,
      count: count + (known?.count ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    });
  };

  const write = async () => {
    const batch = waiting;
    waiting = new Map();
    try {
      if (batch.size > 0) await activity.add([...batch.values()]);
    } catch (error) {
      for (const accesses of batch.values()) add(accesses);
      throw error;
    }
  };

  const flush = async (): Promise<void> => {
    // What was noted before this call must be written when it resolves, by this or by the one under way.
    await writing?.catch(() => undefined);
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };

  return {
    note: (id) => {
      const before = waiting.size;
      add({ id, count: 1, lastAt: clock.now() });
      // Not with each one beyond it: while the store fails, every read would try to write them all.
      if (waiting.size > before && waiting.size === policy.accessesWaiting) {
        flush().catch((error: unknown) => log.warn('files.accesses_waiting', { count: waiting.size, error }));
      }
    },
    flush,
  };
};
