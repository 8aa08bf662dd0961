import { makeNewId } from '../ids.ts';
import { makeAccessCounts } from './access-counts.ts';
import { makeCacheReadCounts } from './cache-reads.ts';
import { makeDataKeys } from './data-key.ts';
import { makeEntryCache } from './entry-cache.ts';
import type { FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';

/** The ports, the policy and the tools that the use cases share. */
export const makeDeps = (ports: FilesPorts, policy: FilesPolicy) => {
  const base = { ...ports, policy };
  const cacheReads = makeCacheReadCounts(base);
  return {
    ...base,
    cacheReads,
    newId: makeNewId(ports.clock, ports.random),
    dataKeys: makeDataKeys(base),
    entries: makeEntryCache({ ...base, cacheReads }),
    accesses: makeAccessCounts(base),
  };
};

/** Without the cache and its generation: the use cases reach both through `entries` alone. */
export type Deps = Omit<ReturnType<typeof makeDeps>, 'cache' | 'cacheGeneration'>;
