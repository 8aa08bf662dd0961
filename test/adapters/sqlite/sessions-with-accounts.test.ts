import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import {
  makeSqliteSessionStore,
  makeSqliteSessionsWithAccounts,
} from '../../../adapters/sqlite/session-store.ts';
import { sessionsWithAccountsContract } from '../../contracts/sessions-with-accounts.ts';
import { openedStore } from './opened.ts';

const open = openedStore((database) => ({
  accounts: makeSqliteAccountStore(database),
  sessions: makeSqliteSessionStore(database),
  presences: makeSqliteSessionsWithAccounts(database),
}));

sessionsWithAccountsContract('SQLite', async () => {
  const { store, close } = await open();
  return { ...store, close };
});
