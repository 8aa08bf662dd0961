import { join } from 'node:path';
import { makeFileObjects } from '../../../adapters/files/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openPorts } from './open-core.ts';

/** The ports over the embedded store in a folder, for tests that read its file or share it with another process. */
export const openSqlitePorts = (folder: string) => {
  const database = openDatabase({ folder });
  const objects = makeFileObjects({ folder: join(folder, 'objects'), log: makeRecordingLog() });
  const store = sqlPorts(database, { clock: { now: () => NOW }, objects });
  return { ...openPorts(store), database, close: () => database.close() };
};
