import { join } from 'node:path';
import type { Log } from '../../core/ports.ts';
import type { Unit } from '../sql/database.ts';
import { logUpgrade } from '../store.ts';
import { sqliteDialect } from './dialect.ts';
import {
  type DatabaseFile,
  type EmbeddedDatabase,
  openDatabaseFile,
  openMemoryDatabase,
} from './engine/database-file.ts';
import { makeFairReads } from './engine/fair-reads.ts';
import { migrations } from './migrations.ts';

// Shows after a failed write whether writes succeed again. It needs as much room as an ordinary change, and leaves no row behind.
const PROBE: Unit = [
  {
    sql: 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 0, 0, 0)',
    params: ['?'.repeat(65_536)],
  },
  { sql: 'DELETE FROM tries WHERE key = ?', params: ['?'.repeat(65_536)] },
];

/** The file of the embedded store in a folder. */
export const storeFile = (folder: string): string => join(folder, 'gatehouse.db');

const toEmbedded = ({ read, write, writeNow, isFailing, counts, close }: DatabaseFile): EmbeddedDatabase => ({
  dialect: sqliteDialect,
  write,
  writeAtStart: async (unit) => writeNow(unit),
  counts,
  close,
  read: makeFairReads(read),
  canWrite: async () => {
    if (!isFailing()) return true;
    try {
      return (await write(PROBE)).done;
    } catch {
      return false;
    }
  },
});

/** Opens `gatehouse.db` in the folder as `openDatabaseFile` does; every acknowledged write is on disk. */
export const openDatabase = ({
  folder,
  log,
  upgrades = true,
}: {
  readonly folder: string;
  readonly log?: Log;
  readonly upgrades?: boolean;
}): EmbeddedDatabase =>
  toEmbedded(
    openDatabaseFile({
      file: storeFile(folder),
      migrations,
      durable: true,
      upgrades,
      onUpgrade: (before, now) => logUpgrade(log, before, now),
      report: (event, fields) => {
        if (event === 'writer_crashed') log?.error(`store.${event}`, fields);
        else log?.warn(`store.${event}`, fields);
      },
    }),
  );

/** An empty store in memory, of which nothing remains once it is closed or nobody refers to it. */
export const openDatabaseInMemory = (): EmbeddedDatabase => toEmbedded(openMemoryDatabase(migrations));
