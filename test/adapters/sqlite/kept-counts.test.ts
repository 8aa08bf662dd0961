import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { keptCountsTests } from '../sql/kept-counts.ts';
import { openedStore } from './opened.ts';

keptCountsTests('SQLite', async (clock) => {
  const { store, close } = await openedStore((database) => ({
    database,
    ports: sqlPorts(database, { clock, objects: makeMemoryObjects(clock) }),
  }))();
  return { ...store, close };
});
