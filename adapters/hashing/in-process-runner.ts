import { scryptSync } from 'node:crypto';
import { makeEqualTimeHash } from './equal-time-hash.ts';
import type { StartHashRunner } from './runner-with-deadline.ts';

/** Hashes in this process, which blocks it: for tests with cheap hashes. */
export const startInProcessRunner: StartHashRunner = () => ({
  derive: makeEqualTimeHash({ scrypt: scryptSync, usedTime: () => performance.now() }),
  end: async () => undefined,
});
