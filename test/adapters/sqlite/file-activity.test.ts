import { makeSqliteFileActivity } from '../../../adapters/sqlite/file-activity.ts';
import { makeSqliteFileStore } from '../../../adapters/sqlite/file-store.ts';
import { fileActivityContract } from '../../contracts/file-activity.ts';
import { openedStore } from './opened.ts';

fileActivityContract(
  'SQLite',
  openedStore((database) => ({
    activity: makeSqliteFileActivity(database),
    files: makeSqliteFileStore(database),
  })),
);
