import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmbeddedStore } from '../../../adapters/choose-store.ts';
import { transferContract } from '../../contracts/transfer.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

transferContract('The embedded store', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-moved-'));
  const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer: true };
  const unopened = findEmbeddedStore(dataDir, parts);
  const { ports, transfer } = await unopened.open();
  return {
    store: { ports, movable: transfer() },
    close: async () => {
      await unopened.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});
