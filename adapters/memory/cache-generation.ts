import type { CacheGeneration } from '../../core/files/ports.ts';

/** The cache's epoch in memory. */
export const makeMemoryCacheGeneration = (): CacheGeneration => {
  let epoch = 1;
  return {
    read: async () => epoch,
    raise: async () => {
      epoch += 1;
      return epoch;
    },
  };
};
