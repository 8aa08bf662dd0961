import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFileCache } from '../../../../adapters/sqlite/cache/file-cache.ts';
import { fileCacheContract } from '../../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../../contracts/file-cache-races.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';

const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cache-'));
  const clock = makeSettableClock();
  const log = makeRecordingLog();
  const [cache, second] = [1, 2].map(() => openSqliteFileCache({ folder, clock, log }));
  if (cache === undefined || second === undefined) throw new Error('not opened');
  return {
    cache,
    other: second,
    pass: async (seconds: number) => clock.set(clock.now() + seconds * 1_000),
    close: async () => {
      await Promise.all([cache.close(), second.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

fileCacheContract('SQLite', open);
fileCacheRaces('SQLite', open);
