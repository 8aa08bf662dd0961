import { scryptSync } from 'node:crypto';
import type { StartHashRunner } from './hash-runner.ts';
import { makeRunRequest } from './run-request.ts';

/** Hashes in this process, which does nothing else meanwhile: for tests, at a small cost. */
export const startHashHere: StartHashRunner = () => {
  const run = makeRunRequest({ scrypt: scryptSync, used: () => performance.now() });
  return {
    derive: async (request) => Buffer.from(await run(request), 'base64'),
    end: async () => undefined,
  };
};
