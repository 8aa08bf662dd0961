import { makeSqliteTriesStore } from '../../../adapters/sqlite/tries-store.ts';
import { triesStoreContract } from '../../contracts/tries-store.ts';
import { openedStore } from './opened.ts';

triesStoreContract('SQLite', openedStore(makeSqliteTriesStore));
