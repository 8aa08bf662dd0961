import { refuseNewer, refuseOlder } from '../../store.ts';
import { retryWhileBusy } from './busy-retry.ts';
import type { Connection } from './connection.ts';

/** The version of the schema. Throws `StoreUnusable` for a schema that a newer version of the program wrote. */
export const versionOf = (connection: Connection, migrations: readonly string[]): number => {
  const version = Number(connection.get('PRAGMA user_version', [])?.user_version);
  refuseNewer(version, migrations.length);
  return version;
};

export interface MigrationOptions {
  readonly migrations: readonly string[];
  /** False: a file with an older schema is rejected. A new file, which has version 0, gets the schema in any case. */
  readonly upgrades: boolean;
  /** Called in the process that upgraded the file. */
  readonly onUpgrade?: (before: number, now: number) => void;
}

/** Upgrades the schema, in one of the processes that open the file. Throws `StoreUnusable` for a schema that it refuses. */
export const migrate = (
  connection: Connection,
  { migrations, upgrades, onUpgrade }: MigrationOptions,
): void => {
  const version = retryWhileBusy(() => versionOf(connection, migrations));
  if (version === migrations.length) return;
  // `refuseOlder` lets version 0 pass.
  if (!upgrades) refuseOlder(version, migrations.length);
  retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'));
  try {
    // Another process may have upgraded the file before this transaction began.
    const before = versionOf(connection, migrations);
    for (const migration of migrations.slice(before)) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
    if (before > 0 && before < migrations.length) onUpgrade?.(before, migrations.length);
  } catch (error) {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    throw error;
  }
};
