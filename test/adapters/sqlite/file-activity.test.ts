import { makeSqlFileActivity } from '../../../adapters/sql/file-activity.ts';
import { makeSqlFileStore } from '../../../adapters/sql/file-store.ts';
import { fileActivityContract } from '../../contracts/file-activity.ts';
import { openedStore } from './opened.ts';

fileActivityContract(
  'SQLite',
  openedStore((database) => ({
    activity: makeSqlFileActivity(database),
    files: makeSqlFileStore(database),
  })),
);
