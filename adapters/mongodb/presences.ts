import type { Presences } from '../../core/accounts/ports.ts';
import { ACCOUNTS, type AccountDocument, accountOf } from './documents/account-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { is } from './engine/scalars.ts';
import { SESSIONS, type SessionDocument, sessionKey, sessionOf } from './session-store.ts';

/** Sessions with their accounts, read from MongoDB by two parallel queries. */
export const makeMongoPresences = ({ call, collection }: MongoDatabase): Presences => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const sessions = collection<SessionDocument>(SESSIONS);
  return {
    find: async (userId, sessionId) => {
      const key = sessionKey(userId, sessionId);
      const [session, owner] = await call(() =>
        Promise.all([sessions.findOne(key), accounts.findOne({ _id: is(userId) })]),
      );
      const account = owner === null ? undefined : accountOf(owner);
      return session === null || account === undefined ? undefined : { session: sessionOf(session), account };
    },
  };
};
