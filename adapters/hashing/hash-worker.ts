/**
 * The program of a hashing child: one hash a message, at low priority. An error ends it, which its parent
 * sees; the parent's end, however it comes, ends it too. It imports as little as it can, since each child pays for
 * that in memory.
 */
import { scryptSync } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import type { HashRequest } from './hash-runner.ts';
import { makeRunRequest } from './run-request.ts';

// Never back up: where the parent runs at a lower priority still, that is not permitted.
setPriority(Math.max(getPriority(), Number(process.argv[2])));

// A terminal and a service manager signal the whole group. The parent decides when its children go.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

process.once('disconnect', () => process.exit());

const run = makeRunRequest({
  scrypt: scryptSync,
  used: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
});

process.on('message', (request: HashRequest) => {
  // What is thrown is not caught, so that it ends the child.
  void run(request).then((key) => process.send?.(key));
});
