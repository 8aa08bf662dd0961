import { makeSqliteAccountStore } from '../../../adapters/sqlite/account-store.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { openedStore } from './opened.ts';

accountStoreContract('SQLite', openedStore(makeSqliteAccountStore));
