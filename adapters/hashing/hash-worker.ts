/**
 * The program of a hashing child: one hash a message, at low priority. An error ends it, which its parent
 * sees; the parent's end, however it comes, ends it too. It imports as little as it can, since each child pays for
 * that in memory.
 */
import { scryptSync } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import type { HashRequest } from './hash-runner.ts';

// Never back up: where the parent runs at a lower priority still, that is not permitted.
setPriority(Math.max(getPriority(), Number(process.argv[2])));

// A terminal and a service manager signal the whole group. The parent decides when its children go.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

process.once('disconnect', () => process.exit());

process.on('message', ({ password, salt, length, runs }: HashRequest) => {
  const keys = runs.map((options) => scryptSync(password, Buffer.from(salt, 'base64'), length, options));
  process.send?.(keys[0]?.toString('base64'));
});
