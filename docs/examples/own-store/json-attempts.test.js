// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptsStoreContract } from 'gatehouse/testing';
import { openJsonAttempts } from './json-attempts.js';

attemptsStoreContract('A JSON file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'json-attempts-'));
  return {
    store: await openJsonAttempts(join(folder, 'attempts.json')),
    close: () => rm(folder, { recursive: true }),
  };
});
