import type { Announcer, Clock } from '../../core/index.ts';
import type { StorePorts } from '../store.ts';
import { makeRecentReads } from './recent-reads.ts';

/**
 * Ports that belong together: the cache is correct only if `accounts` and `sessions` announce their writes. `sessionCache` reads a
 * session with its account.
 */
type CachedSessions = Pick<StorePorts, 'accounts' | 'sessions' | 'sessionCache'>;

/** Unlike a wall clock, this clock cannot be set. */
const monotonic: Clock = { now: () => performance.now() };

/**
 * Caches sessions with their accounts for at most a second from the beginning of the read, for stores behind a network.
 * This process sees its own writes from their acknowledgement. Other processes see them as soon as the announcer tells
 * them, or within that second. A failed write may have reached the store, so it is announced as well. See decision 0001.
 */
export const makeCachedSessions = ({
  accounts,
  sessions,
  sessionCache,
  announcer,
  clock = monotonic,
}: CachedSessions & {
  readonly announcer: Announcer;
  /** Milliseconds since any moment. */
  readonly clock?: Clock;
}): CachedSessions => {
  const reads = makeRecentReads(clock);
  announcer.onAnnounced((userId) => {
    // Null: announcements may have been missed.
    if (userId === null) reads.dropAll();
    else reads.drop(userId);
  });

  const announceAfter = async <T>(write: Promise<T>, ...userIds: readonly string[]): Promise<T> => {
    try {
      return await write;
    } finally {
      for (const userId of userIds) reads.drop(userId);
      await Promise.all(userIds.map((userId) => announcer.announce(userId)));
    }
  };

  return {
    accounts: {
      ...accounts,
      add: (account) => announceAfter(accounts.add(account), account.id),
      addAll: (all, before) => announceAfter(accounts.addAll(all, before), ...all.map(({ id }) => id)),
      save: (account) => announceAfter(accounts.save(account), account.id),
      remove: (account) => announceAfter(accounts.remove(account), account.id),
    },
    sessions: {
      ...sessions,
      add: (session, most) => announceAfter(sessions.add(session, most), session.userId),
      change: (session, next) => announceAfter(sessions.change(session, next), session.userId),
      end: (userId, id, now) => announceAfter(sessions.end(userId, id, now), userId),
      endAll: (userId, which, now) => announceAfter(sessions.endAll(userId, which, now), userId),
      remove: (userId, id) => announceAfter(sessions.remove(userId, id), userId),
      // `sweep` needs no announcement: it deletes expired sessions, and readers check the expiry themselves.
    },
    sessionCache: {
      find: (userId, sessionId) => reads.find(userId, sessionId, () => sessionCache.find(userId, sessionId)),
    },
  };
};

/** For a single process, or for processes that share no channel: they see each other's writes within a second. */
export const silentAnnouncer: Announcer = {
  announce: async () => undefined,
  onAnnounced: () => undefined,
  close: async () => undefined,
};
