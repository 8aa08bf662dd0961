/** A program: runs scrypt again and again up to a time limit or a count. Answers with the milliseconds of each run. */
import { randomBytes, scryptSync } from 'node:crypto';
import type { HashJob } from '../raw.ts';

process.once('message', ({ N, r, p, seconds, times }: HashJob) => {
  const took: number[] = [];
  const startedAt = performance.now();
  while (took.length < times && performance.now() - startedAt < seconds * 1_000) {
    const runStartedAt = performance.now();
    scryptSync('correct horse battery', randomBytes(16), 32, { N, r, p, maxmem: 256 * N * r });
    took.push(performance.now() - runStartedAt);
  }
  process.send?.({ took });
});
