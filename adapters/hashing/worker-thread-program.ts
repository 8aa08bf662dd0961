/**
 * The program of a hashing thread, for platforms without child processes or without scrypt in `node:crypto`: one hash a message,
 * by scrypt in plain JavaScript. An error is not caught here, so that it ends the thread, which the runner notices.
 */
import { parentPort } from 'node:worker_threads';
import scryptJs from 'scrypt-js';
import { makeEqualTimeHash } from './equal-time-hash.ts';
import type { HashRequest } from './runner-with-deadline.ts';

const run = makeEqualTimeHash({
  scrypt: (password, salt, length, { N, r, p }) =>
    scryptJs.syncScrypt(new TextEncoder().encode(password), salt, N, r, p, length),
  // A thread cannot ask for its own processor time, and that of the process is the web server's too.
  usedTime: () => performance.now(),
});

parentPort?.on('message', (request: HashRequest) => {
  void run(request).then((answer) => parentPort?.postMessage(answer));
});
