import { makeSqliteFileStore } from '../../../adapters/sqlite/file-store.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { openedStore } from './opened.ts';

fileStoreContract('SQLite', openedStore(makeSqliteFileStore));
