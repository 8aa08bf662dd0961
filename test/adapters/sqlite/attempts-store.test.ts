import { makeSqlAttemptsStore } from '../../../adapters/sql/attempts-store.ts';
import { attemptsStoreContract } from '../../contracts/attempts-store.ts';
import { openedStore } from './opened.ts';

attemptsStoreContract('SQLite', openedStore(makeSqlAttemptsStore));
