import { randomFillSync } from 'node:crypto';
import type { Random } from '../../core/ports.ts';

/** Bytes fetched at once: a system call for every few bytes would cost more than their use. */
const POOL_BYTES = 4096;

const pool = new Uint8Array(POOL_BYTES);
let unusedBytes = 0;

/** Bytes of the operating system's generator. Each byte is returned once and then erased from the pool. */
export const randomBytes = (count: number): Uint8Array => {
  if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count));
  if (count > unusedBytes) {
    randomFillSync(pool);
    unusedBytes = POOL_BYTES;
  }
  const start = unusedBytes - count;
  const bytes = pool.slice(start, unusedBytes);
  pool.fill(0, start, unusedBytes);
  unusedBytes = start;
  return bytes;
};

export const makeRandom = (): Random => ({
  bytes: randomBytes,
  // The array has a buffer of its own, so the buffer holds these bytes alone.
  text: (count) => Buffer.from(randomBytes(count).buffer).toString('base64url'),
});
