import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { directoryContract } from '../../contracts/directory.ts';
import { openedStore } from './opened.ts';

directoryContract(
  'SQLite',
  openedStore((database) => ({
    accounts: makeSqlAccountStore(database),
    directory: makeSqlDirectory(database),
  })),
);
