/**
 * The program of a hashing child: one hash a message, at low priority. An error ends the child, which its parent notices;
 * the end of the parent ends the child too. It imports as little as possible, since each child pays for imports in memory.
 */
import { scryptSync } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { makeEqualTimeHash } from './equal-time-hash.ts';
import type { HashRequest } from './runner-with-deadline.ts';

// The parent passes the niceness: a greater number is a lower priority. If the process already has a greater number, it stays,
// since only privileged processes may reduce it.
setPriority(Math.max(getPriority(), Number(process.argv[2])));

// A terminal or service manager signals the whole group, but the parent decides when its children end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

process.once('disconnect', () => process.exit());

const run = makeEqualTimeHash({
  scrypt: scryptSync,
  usedTime: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
});

process.on('message', (request: HashRequest) => {
  // Errors are not caught, so that they end the child.
  void run(request).then((answer) => process.send?.(answer));
});
