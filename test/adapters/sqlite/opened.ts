import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import type { Clock } from '../../../core/ports.ts';

/** What a contract suite needs: a store made on a fresh database, and how to get rid of both. */
export const openedStore =
  <T>(make: (database: EmbeddedDatabase) => T) =>
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
    const database = openDatabase({ folder });
    return {
      store: make(database),
      close: async () => {
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };

/** Every port on a fresh database, but for objects. */
export const openStore = async (clock: Clock) => {
  const { store, close } = await openedStore((database) => ({
    database,
    ports: sqlPorts(database, { clock, objects: makeMemoryObjects(clock) }),
  }))();
  return { ...store, close };
};
