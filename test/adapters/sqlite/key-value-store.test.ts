import { makeSqlKeyValueStore } from '../../../adapters/sql/key-value-store.ts';
import { keyValueStoreContract } from '../../contracts/key-value-store.ts';
import { openedStore } from './opened.ts';

keyValueStoreContract('SQLite', openedStore(makeSqlKeyValueStore));
