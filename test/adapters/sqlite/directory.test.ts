import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { makeSqliteDirectory } from '../../../adapters/sqlite/directory.ts';
import { directoryContract } from '../../contracts/directory.ts';
import { openedStore } from './opened.ts';

directoryContract(
  'SQLite',
  openedStore((database) => ({
    accounts: makeSqliteAccountStore(database),
    directory: makeSqliteDirectory(database),
  })),
);
