import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import type { Clock } from '../../../core/ports.ts';
import { makeResetUnit } from './reset-unit.ts';

/** A database that suites share, one after another. */
const openShared = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  const database = openDatabase({ folder });
  const resetUnit = await makeResetUnit(database);
  return {
    database,
    empty: () => database.write(resetUnit),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Databases that are free for reuse. Emptying a database is faster than creating one with its thread. */
const free: Awaited<ReturnType<typeof openShared>>[] = [];

after(() => Promise.all(free.map(({ close }) => close())));

/** Opens a store on an empty database for a contract suite. */
export const makeStoreOpener =
  <T>(make: (database: EmbeddedDatabase) => T) =>
  async () => {
    const shared = free.pop() ?? (await openShared());
    return {
      store: make(shared.database),
      close: async () => {
        await shared.empty();
        free.push(shared);
      },
    };
  };

/** Opens all ports on an empty database, with objects in memory. */
export const openStore = async (clock: Clock) => {
  const { store: database, close } = await makeStoreOpener((database) => database)();
  return { database, ports: sqlPorts(database, { clock, objects: makeMemoryObjects(clock) }), close };
};
