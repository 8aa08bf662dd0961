import type { Connection } from './connection.ts';
import { StoreUnusable } from './failures.ts';
import { patiently } from './patiently.ts';

/** Throws `StoreUnusable` for a schema that a newer version wrote. */
export const versionOf = (connection: Connection, migrations: readonly string[]): number => {
  const version = Number(connection.get('PRAGMA user_version', [])?.user_version);
  if (version > migrations.length) {
    throw new StoreUnusable(
      `it was written by a newer version (schema ${version}, this one knows ${migrations.length})`,
    );
  }
  return version;
};

/** Brings the schema up to date; of several processes that open the folder at once, one does it. */
export const migrate = (connection: Connection, migrations: readonly string[]): void => {
  if (patiently(() => versionOf(connection, migrations)) === migrations.length) return;
  patiently(() => connection.exec('BEGIN IMMEDIATE'));
  try {
    for (const migration of migrations.slice(versionOf(connection, migrations))) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    throw error;
  }
};
