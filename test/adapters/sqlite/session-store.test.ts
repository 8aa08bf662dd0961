import { makeSqliteSessionStore } from '../../../adapters/sqlite/session-store.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { openedStore } from './opened.ts';

sessionStoreContract('SQLite', openedStore(makeSqliteSessionStore));
