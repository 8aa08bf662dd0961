import { scryptSync } from 'node:crypto';
import type { StartHashRunner } from './hash-runner.ts';
import { makeRunRequest } from './equal-time-hash.ts';

/** Hashes in this process, which blocks it: for tests with cheap hashes. */
export const startHashInProcess: StartHashRunner = () => {
  const run = makeRunRequest({ scrypt: scryptSync, used: () => performance.now() });
  return {
    derive: run,
    end: async () => undefined,
  };
};
