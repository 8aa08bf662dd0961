import { makeSqliteRateStore } from '../../../adapters/sqlite/rate-store.ts';
import { rateStoreContract } from '../../contracts/rate-store.ts';
import { openedStore } from './opened.ts';

rateStoreContract('SQLite', openedStore(makeSqliteRateStore));
