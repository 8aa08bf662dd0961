import { makeSqliteAttemptsStore } from '../../../adapters/sqlite/attempts-store.ts';
import { attemptsStoreContract } from '../../contracts/attempts-store.ts';
import { openedStore } from './opened.ts';

attemptsStoreContract('SQLite', openedStore(makeSqliteAttemptsStore));
