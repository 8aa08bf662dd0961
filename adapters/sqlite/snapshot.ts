import { StoreUnusable } from '../store-place.ts';
import { raiseEpoch } from './cache-epoch.ts';
import { retryWhileBusy } from './engine/busy-retry.ts';
import { connect, connectAsItIs } from './engine/connection.ts';
import { versionOf } from './engine/migrate.ts';
import { migrations } from './schema/migrations.ts';

/** The schema's version in a store's file, and the newest that this program knows. Throws `StoreUnusable`. */
export const schemaOf = (file: string): { readonly version: number; readonly newest: number } => {
  const connection = connect(file);
  try {
    return { version: versionOf(connection, migrations), newest: migrations.length };
  } finally {
    connection.close();
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
 * Makes a copy ready to be put in place, once it is known to be a whole store that this version can work with. Throws
 * `StoreUnusable` when it is not.
 */
export const adoptStore = (file: string): void => {
  const connection = connectAsItIs(file);
  try {
    versionOf(connection, migrations);
    const [answer] = connection.all('PRAGMA quick_check(1)', []);
    if (answer?.quick_check !== 'ok') throw new StoreUnusable('its file is damaged');
    raiseEpoch(connection);
  } finally {
    connection.close();
  }
};
