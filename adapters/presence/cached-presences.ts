import type { AccountStore, Announcer, Clock, Presences, SessionStore } from '../../core/index.ts';
import { makeCoalescedReads } from './coalesced-reads.ts';

/** Belong together: cached presences are only right with stores that announce their writes. */
export interface CachedPresences {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly presences: Presences;
}

/** Cannot be set, as a wall clock can. */
const monotonic: Clock = { now: () => performance.now() };

/**
 * Keeps who a session belongs to for at most a second from the moment its read began, for stores that are asked over
 * the network. A write of this process is seen by it from the moment it is acknowledged, by the others as soon as they
 * are told, or within that second where the announcer cannot tell them. A write that failed may have reached the store
 * all the same, so it counts as one.
 * See decision 0007.
 */
export const makeCachedPresences = (given: {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly presences: Presences;
  readonly announcer: Announcer;
  /** Milliseconds since any moment. */
  readonly clock?: Clock;
}): CachedPresences => {
  const { accounts, sessions, presences, announcer, clock = monotonic } = given;
  const reads = makeCoalescedReads(clock);
  announcer.onAnnounced((userId) => {
    if (userId === null) reads.dropAll();
    else reads.drop(userId);
  });

  const writingAll = async <T>(userIds: readonly string[], write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } finally {
      for (const userId of userIds) reads.drop(userId);
      await Promise.all(userIds.map((userId) => announcer.announce(userId)));
    }
  };
  const writing = <T>(userId: string, write: Promise<T>): Promise<T> => writingAll([userId], write);

  return {
    accounts: {
      ...accounts,
      add: (account) => writing(account.id, accounts.add(account)),
      addAll: (all, before) =>
        writingAll(
          all.map(({ id }) => id),
          accounts.addAll(all, before),
        ),
      save: (account) => writing(account.id, accounts.save(account)),
      remove: (account) => writing(account.id, accounts.remove(account)),
    },
    sessions: {
      ...sessions,
      add: (session, most) => writing(session.userId, sessions.add(session, most)),
      rotate: (rotation) => writing(rotation.userId, sessions.rotate(rotation)),
      use: (use) => writing(use.userId, sessions.use(use)),
      prove: (userId, id, proof) => writing(userId, sessions.prove(userId, id, proof)),
      end: (userId, id, now) => writing(userId, sessions.end(userId, id, now)),
      endAll: (userId, which, now) => writing(userId, sessions.endAll(userId, which, now)),
      remove: (userId, id) => writing(userId, sessions.remove(userId, id)),
      // `sweep` removes what is expired, and that a session is expired is seen without the store.
    },
    presences: {
      find: (userId, sessionId) => reads.find(userId, sessionId, () => presences.find(userId, sessionId)),
    },
  };
};
