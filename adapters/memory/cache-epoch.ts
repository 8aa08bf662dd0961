import type { CacheEpoch } from '../../core/files/ports.ts';

/** The cache's epoch in memory. */
export const makeMemoryCacheEpoch = (): CacheEpoch => {
  let epoch = 1;
  return {
    read: async () => epoch,
    raise: async () => {
      epoch += 1;
      return epoch;
    },
  };
};
