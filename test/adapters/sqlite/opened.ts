import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import type { Clock } from '../../../core/ports.ts';
import { emptyingUnit } from './reset-unit.ts';

/** A database that suites share, one after another. */
const openShared = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  const database = openDatabase({ folder });
  const empty = await emptyingUnit(database);
  return {
    database,
    empty: () => database.write(empty),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Databases that no test uses now. To empty one is faster than to create one with its thread. */
const free: Awaited<ReturnType<typeof openShared>>[] = [];

after(() => Promise.all(free.map(({ close }) => close())));

/** What a contract suite needs: a store made on an empty database, and how to get rid of it. */
export const openedStore =
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

/** Every port on an empty database, but for objects. */
export const openStore = async (clock: Clock) => {
  const { store: database, close } = await openedStore((opened) => opened)();
  return { database, ports: sqlPorts(database, { clock, objects: makeMemoryObjects(clock) }), close };
};
