/** The program of a hashing thread: one hash a message, by scrypt in plain JavaScript. An error ends the thread. */
import { parentPort } from 'node:worker_threads';
import scryptJs from 'scrypt-js';
import type { HashRequest } from './hash-runner.ts';

parentPort?.on('message', ({ password, salt, length, runs }: HashRequest) => {
  const bytes = new TextEncoder().encode(password);
  const keys = runs.map(({ N, r, p }) =>
    scryptJs.syncScrypt(bytes, Buffer.from(salt, 'base64'), N, r, p, length),
  );
  parentPort?.postMessage(Buffer.from(keys[0] ?? []).toString('base64'));
});
