import { makeNewId, type NewId } from '../ids.ts';
import { type AccessCounts, makeAccessCounts } from './access-counts.ts';
import { type CacheReadCounts, makeCacheReadCounts } from './cache-reads.ts';
import { type DataKeys, makeDataKeys } from './data-key.ts';
import { type EntryCache, makeEntryCache } from './entry-cache.ts';
import type { FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';

/** The ports, the policy and the tools that the use cases share. */
export interface Deps extends Omit<FilesPorts, 'cache' | 'epoch'> {
  readonly policy: FilesPolicy;
  readonly newId: NewId;
  readonly dataKeys: DataKeys;
  readonly entries: EntryCache;
  readonly accesses: AccessCounts;
  readonly cacheReads: CacheReadCounts;
}

export const makeDeps = (ports: FilesPorts, policy: FilesPolicy): Deps => {
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
