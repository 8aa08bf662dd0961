import { makeSqlRateStore } from '../../../adapters/sql/rate-store.ts';
import { rateStoreContract } from '../../contracts/rate-store.ts';
import { openedStore } from './opened.ts';

rateStoreContract('SQLite', openedStore(makeSqlRateStore));
