import { makeNewId, type NewId } from '../ids.ts';
import { type AccessCounts, makeAccessCounts } from './access-counts.ts';
import { type CacheReadCounts, makeCacheReadCounts } from './cache-reads.ts';
import { type DataKeys, makeDataKeys } from './data-key.ts';
import { type EntryCache, makeEntryCache } from './entry-cache.ts';
import type { FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';

/** The ports and policy together with the few tools that every use case works with. */
export interface Kit extends Omit<FilesPorts, 'cache' | 'epoch'> {
  readonly policy: FilesPolicy;
  readonly newId: NewId;
  readonly dataKeys: DataKeys;
  readonly entries: EntryCache;
  readonly accesses: AccessCounts;
  readonly cacheReads: CacheReadCounts;
}

export const makeKit = (ports: FilesPorts, policy: FilesPolicy): Kit => {
  const needs = { ...ports, policy };
  const cacheReads = makeCacheReadCounts(needs);
  return {
    ...needs,
    cacheReads,
    newId: makeNewId(ports.clock, ports.random),
    dataKeys: makeDataKeys(needs),
    entries: makeEntryCache({ ...needs, cacheReads }),
    accesses: makeAccessCounts(needs),
  };
};
