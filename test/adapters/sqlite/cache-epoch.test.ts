import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSqliteCacheEpoch } from '../../../adapters/sqlite/cache-epoch.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { cacheEpochContract } from '../../contracts/cache-epoch.ts';

cacheEpochContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  const [one, other] = [openDatabase({ folder }), openDatabase({ folder })];
  return {
    store: [makeSqliteCacheEpoch(one), makeSqliteCacheEpoch(other)],
    close: async () => {
      await Promise.all([one.close(), other.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
