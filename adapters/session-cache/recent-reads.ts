import type { Clock, SessionWithAccount } from '../../core/index.ts';

/** A read of a store, under way or finished. */
interface Read {
  readonly userId: string;
  readonly startedAt: number;
  readonly outcome: Promise<SessionWithAccount | undefined>;
}

/** The time from the beginning of a read for which calls share it. */
const LIFE_MS = 1_000;
/** Reads that are stored at the same time. */
const MOST_READS = 10_000;

/** A key that is unique for the pair. */
const keyOf = (userId: string, sessionId: string) => `${userId.length}:${userId}:${sessionId}`;

/**
 * Coalesces reads: calls for one session within a second share one read. It stores the promise when the read begins, not
 * the result when it ends, so that a read that is dropped while under way is not stored again.
 */
export const makeRecentReads = (clock: Clock) => {
  // In the order of insertion: the oldest read comes first.
  const reads = new Map<string, Read>();
  const keysByUser = new Map<string, Set<string>>();

  const isExpired = ({ startedAt }: Read) => {
    const age = clock.now() - startedAt;
    // Negative if the clock was set back.
    return age < 0 || age >= LIFE_MS;
  };

  const remove = (key: string, { userId }: Read) => {
    reads.delete(key);
    const keys = keysByUser.get(userId);
    keys?.delete(key);
    if (keys?.size === 0) keysByUser.delete(userId);
  };

  /** Stores a read, and removes expired reads, and the oldest read if there are too many. */
  const store = (key: string, read: Read) => {
    for (const [oldestKey, oldest] of reads) {
      if (reads.size < MOST_READS && !isExpired(oldest)) break;
      remove(oldestKey, oldest);
    }
    reads.set(key, read);
    const keys = keysByUser.get(read.userId);
    if (keys === undefined) keysByUser.set(read.userId, new Set([key]));
    else keys.add(key);
  };

  return {
    /** Returns the outcome of a read of this session that began less than a second ago, or of a new one. */
    find: (userId: string, sessionId: string, read: () => Read['outcome']): Read['outcome'] => {
      const key = keyOf(userId, sessionId);
      const current = reads.get(key);
      if (current !== undefined && !isExpired(current)) return current.outcome;
      if (current !== undefined) remove(key, current);
      const started: Read = { userId, startedAt: clock.now(), outcome: read() };
      store(key, started);
      const forget = () => {
        if (reads.get(key) === started) remove(key, started);
      };
      // A missing session may appear at any time, and a failure says nothing about it: neither outcome stays stored.
      started.outcome.then((session) => {
        if (session === undefined) forget();
      }, forget);
      return started.outcome;
    },
    /** Forgets the reads of this user, including reads under way. */
    drop: (userId: string): void => {
      for (const key of keysByUser.get(userId) ?? []) reads.delete(key);
      keysByUser.delete(userId);
    },
    dropAll: (): void => {
      reads.clear();
      keysByUser.clear();
    },
  };
};
