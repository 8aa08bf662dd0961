import { makeSqliteFileStore } from '../../../adapters/sqlite/file-store.ts';
import { makeSqliteSealedFiles } from '../../../adapters/sqlite/sealed-files.ts';
import { sealedFilesContract } from '../../contracts/sealed-files.ts';
import { openedStore } from './opened.ts';

sealedFilesContract(
  'SQLite',
  openedStore((database) => ({
    sealed: makeSqliteSealedFiles(database),
    files: makeSqliteFileStore(database),
  })),
);
