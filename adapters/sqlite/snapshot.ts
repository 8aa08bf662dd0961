import { raiseGeneration } from '../sql/cache-generation.ts';
import { StoreUnusable } from '../store.ts';
import { sqliteDialect } from './dialect.ts';
import { retryWhileBusy } from './engine/busy-retry.ts';
import { type Connection, connect, connectRaw } from './engine/connection.ts';
import { toStoreUnusable } from './engine/failures.ts';
import { versionOf } from './engine/migrate.ts';
import { migrations } from './migrations.ts';

/** The schema version of a store's file, and the newest version that this program knows. Throws `StoreUnusable`. */
export const schemaOf = (file: string): { readonly version: number; readonly newest: number } => {
  try {
    const connection = connect(file);
    try {
      return { version: versionOf(connection, migrations), newest: migrations.length };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreUnusable(error, file);
  }
};

/** Writes a consistent copy of a store while others read and write it. `to` must not exist. */
export const copyStore = (file: string, to: string): void => {
  const connection = connect(file);
  try {
    retryWhileBusy(() => connection.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`));
  } finally {
    connection.close();
  }
};

/**
 * Invalidates everything that was cached since the backup, by raising the generation in `cache_epoch`. A store from before
 * the cache lacks that table.
 */
const invalidateCaches = (connection: Connection): void => {
  const isThere = connection.get("SELECT 1 AS one FROM sqlite_schema WHERE name = 'cache_epoch'", []);
  if (isThere !== undefined) connection.run(raiseGeneration(sqliteDialect));
};

/**
 * Checks that a copy is undamaged and not of a newer version, and prepares it for use. Throws `StoreUnusable` otherwise, and the
 * driver's error for a file that is no database. That the copy is complete was checked by the backup's checksums.
 */
export const adoptStore = (file: string): void => {
  // `connect` would write WAL mode to the file before the checks.
  const connection = connectRaw(file);
  try {
    // Throws for a newer version.
    versionOf(connection, migrations);
    const [answer] = connection.all('PRAGMA quick_check(1)', []);
    if (answer?.quick_check !== 'ok') throw new StoreUnusable('its file is damaged');
    invalidateCaches(connection);
  } finally {
    connection.close();
  }
};
