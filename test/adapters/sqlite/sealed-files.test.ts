import { makeSqlFileStore } from '../../../adapters/sql/file-store.ts';
import { makeSqlSealedFiles } from '../../../adapters/sql/sealed-files.ts';
import { sealedFilesContract } from '../../contracts/sealed-files.ts';
import { openedStore } from './opened.ts';

sealedFilesContract(
  'SQLite',
  openedStore((database) => ({
    sealed: makeSqlSealedFiles(database),
    files: makeSqlFileStore(database),
  })),
);
