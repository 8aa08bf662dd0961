import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSqlCacheGeneration } from '../../../adapters/sql/cache-generation.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { cacheGenerationContract } from '../../contracts/cache-generation.ts';

cacheGenerationContract('SQLite in two processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  const [first, second] = [openDatabase({ folder }), openDatabase({ folder })];
  return {
    store: [makeSqlCacheGeneration(first), makeSqlCacheGeneration(second)],
    close: async () => {
      await Promise.all([first.close(), second.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
