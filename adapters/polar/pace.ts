import type { Time } from '../calls/time.ts';

/** Lets calls begin no faster than so many a minute, evenly, in the order in which they ask. */
export const makePace = (time: Pick<Time, 'now' | 'after'>, perMinute: number): (() => Promise<void>) => {
  const apart = 60_000 / perMinute;
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = Math.max(nextAt, time.now());
    nextAt = at + apart;
    return new Promise((resolve) => time.after(at - time.now(), resolve));
  };
};
