import { makeMemoryFileCache } from '../../../adapters/memory/file-cache.ts';
import { fileCacheContract, type OpenedCache } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { makeSettableClock } from '../../contracts/leases.ts';

const open = async (): Promise<OpenedCache> => {
  const clock = makeSettableClock();
  const cache = makeMemoryFileCache(clock);
  return {
    cache,
    other: cache,
    pass: async (seconds) => clock.set(clock.now() + seconds * 1_000),
    close: async () => undefined,
  };
};

fileCacheContract('The cache in memory', open);
fileCacheRaces('The cache in memory', open);
