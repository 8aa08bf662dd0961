import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { sessionsWithAccountsContract } from '../../contracts/sessions-with-accounts.ts';
import { openedStore } from './opened.ts';

const open = openedStore((database) => ({
  accounts: makeSqlAccountStore(database),
  sessions: makeSqlSessionStore(database),
  presences: { find: makeSqlSessionStore(database).findWithAccount },
}));

sessionsWithAccountsContract('SQLite', async () => {
  const { store, close } = await open();
  return { ...store, close };
});
