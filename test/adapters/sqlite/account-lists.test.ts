import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { accountListsContract } from '../../contracts/account-lists.ts';
import { openedStore } from './opened.ts';

accountListsContract('SQLite', openedStore(makeSqliteAccountStore));
