// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptsStoreContract } from 'gatehouse/testing';
import { openJsonTries } from './json-tries.js';

attemptsStoreContract('A JSON file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'json-tries-'));
  return {
    store: await openJsonTries(join(folder, 'tries.json')),
    close: () => rm(folder, { recursive: true }),
  };
});
