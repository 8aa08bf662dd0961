import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.ts';
import { BEAT } from './limit-scripts.ts';

/** The processes that share a Redis. */
export interface Instances {
  /** How many there are with this one, as far as it was last known; at least 1. */
  count(): number;
  /** Says that this one is alive, and learns how many are. Fails while Redis takes no writes. */
  beat(): Promise<void>;
  /** This one is no more. */
  leave(): Promise<void>;
}

/** Milliseconds from a process's last word to its being taken for gone. */
const LIFE = 10_000;

export const makeInstances = (redis: Pick<Connection, 'call' | 'run'>, key: string): Instances => {
  const member = randomUUID();
  let known = 1;
  let knownAt = Number.NEGATIVE_INFINITY;

  return {
    count: () => known,
    beat: async () => {
      const count = Number(await redis.run(BEAT, [key], [member, String(LIFE)]));
      // After Redis was away, or lost all, the others come back to it one by one: less is believed once it has lasted.
      if (count < known && performance.now() - knownAt < LIFE) return;
      [known, knownAt] = [Math.max(1, count), performance.now()];
    },
    leave: async () => {
      await redis.call(['ZREM', key, member]);
    },
  };
};
