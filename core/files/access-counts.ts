import type { FilesPolicy } from './policy.ts';
import type { Accesses, FilesPorts } from './ports.ts';

/** Counts that are written together. A failed batch is written again unchanged, under its idempotency key. */
interface Batch {
  readonly key: string;
  readonly accesses: ReadonlyMap<string, Accesses>;
}

/** Bytes of an idempotency key. */
const KEY_LENGTH = 9;

/** Counts single reads in memory and writes the counts in bulk: a write for each read would cost more than the read. */
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
      // Limits the memory while the store fails: accesses to further files are not counted.
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

  /** Writes the waiting counts. Counts that cannot be written wait for the next call. */
  const flush = async (): Promise<void> => {
    // A running write may have taken its batch before the latest counts. So the call waits for that write, then starts the next
    // write, or joins it if another call has started it by then.
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
