import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { accountListsContract } from '../../contracts/account-lists.ts';
import { openedStore } from './opened.ts';

accountListsContract('SQLite', openedStore(makeSqlAccountStore));
