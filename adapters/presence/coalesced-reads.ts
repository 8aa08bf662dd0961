import type { Clock, Presence } from '../../core/index.ts';

/** A read of a store, under way or done. */
interface Read {
  readonly userId: string;
  readonly begunAt: number;
  readonly found: Promise<Presence | undefined>;
}

export interface CoalescedReads {
  /** Returns the outcome of a read of this session that began less than a second ago, or of a new one. */
  find(
    userId: string,
    sessionId: string,
    read: () => Promise<Presence | undefined>,
  ): Promise<Presence | undefined>;
  /** Forgets the reads of this user, those under way too. */
  drop(userId: string): void;
  dropAll(): void;
}

/** Milliseconds from the beginning of a read. */
const LIFE = 1_000;
const MOST = 10_000;

/** No other pair has the same. */
const keyOf = (userId: string, sessionId: string) => `${userId.length}:${userId}:${sessionId}`;

/**
 * Coalesces reads: calls for one session within a second share one read. The read is kept from its beginning, not its
 * result, so that a read that is dropped while under way never comes back.
 */
export const makeCoalescedReads = (clock: Clock): CoalescedReads => {
  // Oldest first.
  const reads = new Map<string, Read>();
  const keysOf = new Map<string, Set<string>>();

  const isOver = ({ begunAt }: Read) => {
    const age = clock.now() - begunAt;
    return age < 0 || age >= LIFE;
  };

  const remove = (key: string, { userId }: Read) => {
    reads.delete(key);
    const keys = keysOf.get(userId);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(userId);
  };

  const keep = (key: string, read: Read) => {
    for (const [oldest, old] of reads) {
      if (reads.size < MOST && !isOver(old)) break;
      remove(oldest, old);
    }
    reads.set(key, read);
    const keys = keysOf.get(read.userId);
    if (keys === undefined) keysOf.set(read.userId, new Set([key]));
    else keys.add(key);
  };

  return {
    find: (userId, sessionId, read) => {
      const key = keyOf(userId, sessionId);
      const known = reads.get(key);
      if (known !== undefined && !isOver(known)) return known.found;
      if (known !== undefined) remove(key, known);
      const begun: Read = { userId, begunAt: clock.now(), found: read() };
      keep(key, begun);
      const forget = () => {
        if (reads.get(key) === begun) remove(key, begun);
      };
      // A missing session may appear at any time, and a failure says nothing about it: neither is kept.
      begun.found.then((presence) => presence ?? forget(), forget);
      return begun.found;
    },
    drop: (userId) => {
      for (const key of keysOf.get(userId) ?? []) reads.delete(key);
      keysOf.delete(userId);
    },
    dropAll: () => {
      reads.clear();
      keysOf.clear();
    },
  };
};
