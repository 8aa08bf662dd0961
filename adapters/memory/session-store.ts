import type { SessionCache, SessionStore } from '../../core/accounts/ports.ts';
import {
  endedFields,
  expiryOf,
  rotatedFields,
  type Session,
  type SessionUse,
  usedFields,
} from '../../core/accounts/session.ts';
import type { Accounts } from './account-store.ts';
import { backwards, by, due, first, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** All sessions, by user and id, in the order in which they came. */
export type Sessions = Map<string, Session>;

const keyOf = (userId: string, id: string) => `${text(userId)}\0${text(id)}`;

const newestFirst = backwards(
  by<Session>(
    ({ createdAt }) => createdAt,
    ({ id }) => id,
  ),
);
const byUser = by<SessionUse>(
  ({ userId }) => userId,
  ({ id }) => id,
);
const longestEnded = by<Session>(
  ({ endedAt }) => endedAt ?? 0,
  ({ id }) => id,
);

/** Sessions in memory. Each write is synchronous, so nothing comes between its condition and its effect. */
export const makeMemorySessionStore = (sessions: Sessions, accounts: Accounts): SessionStore => {
  const put = (session: Session) => sessions.set(keyOf(session.userId, session.id), kept(session));
  const those = (where: (session: Session) => boolean) => [...sessions.values()].filter(where);
  const liveOf = (userId: string) => those((one) => one.userId === userId && one.endedAt === null);
  /** Changes a session that is not ended; false if there is none. */
  const change = (session: Session | undefined, fields: Partial<Session>): boolean => {
    if (session?.endedAt !== null) return false;
    put({ ...session, ...fields });
    return true;
  };

  return {
    find: async (userId, id) => sessions.get(keyOf(userId, id)),
    list: async (userId) => liveOf(text(userId)).sort(newestFirst),
    add: async (session, most) => {
      const { userId, id, epoch, createdAt } = session;
      if (sessions.has(keyOf(userId, id))) throw new Error('A session with this id exists already.');
      const account = accounts.get(userId);
      const isLate = account !== undefined && (account.deletedAt !== null || account.sessionEpoch !== epoch);
      if (isLate) return false;
      put(session);
      // The oldest by the order in which they came: a clock may have been set back in between.
      for (const old of liveOf(userId).toReversed().slice(whole(most))) change(old, endedFields(createdAt));
      return true;
    },
    rotate: async (rotation) => {
      const { userId, sessionId, presented, now } = rotation;
      const session = sessions.get(keyOf(userId, sessionId));
      const isExpired = session === undefined || expiryOf(session) <= whole(now);
      if (isExpired || session.refreshDigest !== text(presented)) return undefined;
      const changed = change(session, rotatedFields(session, rotation));
      return changed ? sessions.get(keyOf(userId, sessionId)) : undefined;
    },
    use: async (use) => {
      const session = sessions.get(keyOf(use.userId, use.sessionId));
      const { digest, lastUsedAt } = use.read;
      const isAsRead = session?.cookie?.digest === text(digest) && session.lastUsedAt === whole(lastUsedAt);
      if (!isAsRead || expiryOf(session) <= whole(use.now)) return undefined;
      return change(session, usedFields(use)) ? sessions.get(keyOf(use.userId, use.sessionId)) : undefined;
    },
    prove: async (userId, id, { authenticatedAt, methods }) =>
      change(sessions.get(keyOf(userId, id)), { authenticatedAt: whole(authenticatedAt), methods }),
    end: async (userId, id, now) => change(sessions.get(keyOf(userId, id)), endedFields(whole(now))),
    endAll: async (userId, { keep, beforeEpoch }, now) => {
      const others = liveOf(text(userId)).filter(
        ({ id, epoch }) => id !== keep && (beforeEpoch === null || epoch < beforeEpoch),
      );
      for (const session of others) change(session, endedFields(whole(now)));
      return others.length;
    },
    listEnded: async (limit) =>
      first(
        those(({ endedAt }) => endedAt !== null),
        longestEnded,
        limit,
      ),
    remove: async (userId, id) => {
      sessions.delete(keyOf(userId, id));
    },
    listUses: async (after, limit) =>
      page(
        those(({ endedAt }) => endedAt === null).map(({ userId, id, lastUsedAt }) => ({
          userId,
          id,
          lastUsedAt,
        })),
        byUser,
        after && { userId: text(after.userId), id: text(after.id), lastUsedAt: 0 },
        limit,
      ),
    // Ended sessions stay until their event is sent.
    sweep: async (now, limit) => {
      const swept = due(
        those(({ endedAt }) => endedAt === null),
        expiryOf,
        now,
        limit,
      );
      for (const { userId, id } of swept) sessions.delete(keyOf(userId, id));
      return swept.length;
    },
  };
};

/** Sessions in memory with their accounts. */
export const makeMemoryPresences = (sessions: Sessions, accounts: Accounts): SessionCache => ({
  find: async (userId, sessionId) => {
    const session = sessions.get(keyOf(userId, sessionId));
    const account = accounts.get(userId);
    return session && account && { session, account };
  },
});
