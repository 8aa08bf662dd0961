import type { FilesPolicy } from './policy.ts';
import type { Accesses, FilesPorts } from './ports.ts';

/** Counts single reads in memory and writes them in bulk, since a write for each would cost more than the read. */
export interface AccessCounts {
  note(id: string): void;
  /** Writes what waits; what cannot be written goes on waiting. */
  flush(): Promise<void>;
}

/** Counts that are written together. A batch that failed is given to the store again as it was, under its mark. */
interface Batch {
  readonly mark: string;
  readonly accesses: ReadonlyMap<string, Accesses>;
}

/** Bytes of a mark. */
const MARK_LENGTH = 9;

export const makeAccessCounts = (
  needs: Pick<FilesPorts, 'activity' | 'clock' | 'log' | 'random'> & { readonly policy: FilesPolicy },
): AccessCounts => {
  const { activity, clock, log, policy, random } = needs;
  let waiting = new Map<string, Accesses>();
  let batch: Batch | undefined;
  /** Files that wait and are not in the batch. */
  let others = 0;
  let writing: Promise<void> | undefined;

  const note = (id: string): void => {
    const known = waiting.get(id);
    if (known === undefined && batch?.accesses.has(id) !== true) {
      if (others + (batch?.accesses.size ?? 0) >= 2 * policy.accessesWaiting) return;
      others += 1;
    }
    const lastAt = Math.max(clock.now(), known?.lastAt ?? 0);
    waiting.set(id, { id, count: 1 + (known?.count ?? 0), lastAt });
  };

  const writeBatch = async () => {
    if (batch === undefined) return;
    await activity.add([...batch.accesses.values()], batch.mark);
    batch = undefined;
    others = waiting.size;
  };

  const write = async () => {
    await writeBatch();
    if (waiting.size === 0) return;
    batch = { mark: random.text(MARK_LENGTH), accesses: waiting };
    waiting = new Map();
    others = 0;
    await writeBatch();
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
      note(id);
      // Not with each one beyond it, nor while a batch waits: the store may be failing.
      if (batch !== undefined || waiting.size === before || waiting.size !== policy.accessesWaiting) return;
      flush().catch((error: unknown) => log.warn('files.accesses_waiting', { count: waiting.size, error }));
    },
    flush,
  };
};
