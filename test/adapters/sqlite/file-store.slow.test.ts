import { makeSqlFileStore } from '../../../adapters/sql/file-store.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { openedStore } from './opened.ts';

fileStoreContract('SQLite', openedStore(makeSqlFileStore));
