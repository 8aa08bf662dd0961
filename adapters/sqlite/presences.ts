import { completeAccount, type StoredAccount } from '../../core/accounts/account.ts';
import type { Presences, Session } from '../../core/index.ts';
import { type Database, text } from './engine/statements.ts';

const FIND = `
  SELECT sessions.doc AS session, accounts.doc AS account FROM sessions
  JOIN accounts ON accounts.id = sessions.user_id
  WHERE sessions.user_id = ? AND sessions.id = ?`;

/** Sessions with their accounts, read from the embedded store in one query. */
export const makeSqlitePresences = ({ read }: Database): Presences => ({
  find: async (userId, sessionId) => {
    const row = read.get(FIND, [text(userId), text(sessionId)]);
    return (
      row && {
        session: JSON.parse(String(row.session)) as Session,
        account: completeAccount(JSON.parse(String(row.account)) as StoredAccount),
      }
    );
  },
});
