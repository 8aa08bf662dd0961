import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSqliteStore } from '../../../adapters/sqlite/store.ts';
import { movableStoreContract } from '../../contracts/movable-store.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

movableStoreContract('The embedded store', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-moved-'));
  const place = findSqliteStore(
    { dataDir },
    { clock: { now: () => Date.now() }, log: makeRecordingLog(), upgrades: true },
  );
  const { ports, movable } = await place.open();
  return {
    store: { ports, movable: movable() },
    close: async () => {
      await place.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});
