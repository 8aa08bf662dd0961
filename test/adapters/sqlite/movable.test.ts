import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmbeddedStore } from '../../../adapters/stores.ts';
import { movableStoreContract } from '../../contracts/movable-store.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

movableStoreContract('The embedded store', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-moved-'));
  const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), upgrades: true };
  const place = findEmbeddedStore(dataDir, parts);
  const { ports, movable } = await place.open();
  return {
    store: { ports, movable: movable() },
    close: async () => {
      await place.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});
