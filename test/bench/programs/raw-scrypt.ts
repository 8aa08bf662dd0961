/** A program: one scrypt run after another for so many seconds, or so many times. Answers with the milliseconds. */
import { randomBytes, scryptSync } from 'node:crypto';
import type { HashJob } from '../raw.ts';

process.once('message', ({ N, r, p, seconds, times }: HashJob) => {
  const took: number[] = [];
  const began = performance.now();
  while (took.length < times && performance.now() - began < seconds * 1_000) {
    const asked = performance.now();
    scryptSync('correct horse battery', randomBytes(16), 32, { N, r, p, maxmem: 256 * N * r });
    took.push(performance.now() - asked);
  }
  process.send?.({ took });
});
