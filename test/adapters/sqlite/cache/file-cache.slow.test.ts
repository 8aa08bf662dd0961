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
  const [cache, other] = [1, 2].map(() => openSqliteFileCache({ folder, clock, log }));
  if (cache === undefined || other === undefined) throw new Error('not opened');
  return {
    cache,
    other,
    pass: async (seconds: number) => clock.set(clock.now() + seconds * 1_000),
    close: async () => {
      await Promise.all([cache.close(), other.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

fileCacheContract('SQLite', open);
fileCacheRaces('SQLite', open);
