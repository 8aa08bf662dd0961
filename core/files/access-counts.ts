import type { FilesPolicy } from './policy.ts';
import type { Accesses, FilesPorts } from './ports.ts';

/** Counts that are written together. A failed batch is written again unchanged, under its idempotency key. */
interface Batch {
  readonly key: string;
  readonly accesses: ReadonlyMap<string, Accesses>;
}

/** Bytes of an idempotency key. */
const KEY_LENGTH = 9;

/** Counts single reads in memory and writes them in bulk, since a write for each would cost more than the read. */
export const makeAccessCounts = (
  deps: Pick<FilesPorts, 'activity' | 'clock' | 'log' | 'random'> & { readonly policy: FilesPolicy },
) => {
  const { activity, clock, log, policy, random } = deps;
  let waiting = new Map<string, Accesses>();
  let batch: Batch | undefined;
  /** The number of waiting files that are not in the batch. */
  let unbatched = 0;
  let writing: Promise<void> | undefined;

  const countAccess = (id: string): void => {
    const previous = waiting.get(id);
    if (previous === undefined && batch?.accesses.has(id) !== true) {
      // While the store fails, the memory is limited, and accesses to further files are not counted.
      if (unbatched + (batch?.accesses.size ?? 0) >= 2 * policy.accessesWaiting) return;
      unbatched += 1;
    }
    const lastAt = Math.max(clock.now(), previous?.lastAt ?? 0);
    waiting.set(id, { id, count: 1 + (previous?.count ?? 0), lastAt });
  };

  const writeBatch = async () => {
    if (batch === undefined) return;
    await activity.add([...batch.accesses.values()], batch.key);
    batch = undefined;
    unbatched = waiting.size;
  };

  const write = async () => {
    await writeBatch();
    if (waiting.size === 0) return;
    batch = { key: random.text(KEY_LENGTH), accesses: waiting };
    waiting = new Map();
    unbatched = 0;
    await writeBatch();
  };

  /** Writes the waiting counts; counts that cannot be written go on waiting. */
  const flush = async (): Promise<void> => {
    // A run under way may have taken its batch before the latest counts. So the call waits for that run, then starts the next
    // one, or joins the one that another call has started by then.
    await writing?.catch(() => undefined);
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };

  return {
    note: (id: string): void => {
      const before = waiting.size;
      countAccess(id);
      const hasReachedLimit = waiting.size > before && waiting.size === policy.accessesWaiting;
      // While a batch waits, the store may be failing.
      if (!hasReachedLimit || batch !== undefined) return;
      flush().catch((error: unknown) => log.warn('files.accesses_waiting', { count: waiting.size, error }));
    },
    flush,
  };
};
