import type { Counted, Counts } from './counts.ts';

/** Counts of this process alone, while the shared counts are unavailable. */
export const makeMemoryCounts = (): Counts => {
  const windows = new Map<string, Counted>();
  return {
    add: (calls, now) => {
      const counted = new Map<string, Counted>();
      for (const [key, { count, window }] of calls) {
        const known = windows.get(key);
        const isLive = known !== undefined && known.ends > now;
        counted.set(key, {
          count: count + (isLive ? known.count : 0),
          ends: isLive ? Math.min(known.ends, now + window) : now + window,
        });
      }
      for (const [key, window] of counted) windows.set(key, window);
      return counted;
    },
    sweep: (now) => {
      for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key);
      return false;
    },
  };
};
