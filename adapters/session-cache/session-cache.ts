import type { AccountStore, Announcer, Clock, SessionCache, SessionStore } from '../../core/index.ts';
import { makeRecentReads } from './recent-reads.ts';

/** These belong together: the cache is only right with stores that announce their writes. */
export interface CachedSessions {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly presences: SessionCache;
}

/** Unlike a wall clock, this clock cannot be set. */
const monotonic: Clock = { now: () => performance.now() };

/**
 * Caches sessions with their accounts for at most a second from the beginning of the read, for stores behind a network.
 * This process sees its own writes from their acknowledgement. Other processes see them as soon as the announcer tells
 * them, or within that second. A failed write may have reached the store, so it is announced as well.
 * See decision 0001.
 */
export const makeCachedSessions = ({
  accounts,
  sessions,
  presences,
  announcer,
  clock = monotonic,
}: {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly presences: SessionCache;
  readonly announcer: Announcer;
  /** Milliseconds since any moment. */
  readonly clock?: Clock;
}): CachedSessions => {
  const reads = makeRecentReads(clock);
  announcer.onAnnounced((userId) => {
    if (userId === null) reads.dropAll();
    else reads.drop(userId);
  });

  const announceAllAfter = async <T>(userIds: readonly string[], write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } finally {
      for (const userId of userIds) reads.drop(userId);
      await Promise.all(userIds.map((userId) => announcer.announce(userId)));
    }
  };
  const announceAfter = <T>(userId: string, write: Promise<T>): Promise<T> =>
    announceAllAfter([userId], write);

  return {
    accounts: {
      ...accounts,
      add: (account) => announceAfter(account.id, accounts.add(account)),
      addAll: (all, before) =>
        announceAllAfter(
          all.map(({ id }) => id),
          accounts.addAll(all, before),
        ),
      save: (account) => announceAfter(account.id, accounts.save(account)),
      remove: (account) => announceAfter(account.id, accounts.remove(account)),
    },
    sessions: {
      ...sessions,
      add: (session, most) => announceAfter(session.userId, sessions.add(session, most)),
      change: (session, next) => announceAfter(session.userId, sessions.change(session, next)),
      end: (userId, id, now) => announceAfter(userId, sessions.end(userId, id, now)),
      endAll: (userId, which, now) => announceAfter(userId, sessions.endAll(userId, which, now)),
      remove: (userId, id) => announceAfter(userId, sessions.remove(userId, id)),
      // `sweep` needs no announcement: it deletes expired sessions, and readers check the expiry themselves.
    },
    presences: {
      find: (userId, sessionId) => reads.find(userId, sessionId, () => presences.find(userId, sessionId)),
    },
  };
};

/** For a single process, or a process that cannot reach the others: they see its writes within a second. */
export const silentAnnouncer: Announcer = {
  announce: async () => undefined,
  onAnnounced: () => undefined,
  close: async () => undefined,
};
