import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { makeSqlitePresences } from '../../../adapters/sqlite/presences.ts';
import { makeSqliteSessionStore } from '../../../adapters/sqlite/session-store.ts';
import { presencesContract } from '../../contracts/presences.ts';
import { openedStore } from './opened.ts';

const open = openedStore((database) => ({
  accounts: makeSqliteAccountStore(database),
  sessions: makeSqliteSessionStore(database),
  presences: makeSqlitePresences(database),
}));

presencesContract('SQLite', async () => {
  const { store, close } = await open();
  return { ...store, close };
});
