import { randomFillSync } from 'node:crypto';
import type { Random } from '../../core/ports.ts';

/** As many as are got at once: a call for each few would take longer than what they are for. */
const AT_ONCE = 4096;

const pool = new Uint8Array(AT_ONCE);
let left = 0;

/** Bytes of the operating system's generator, each given out once and kept nowhere. */
export const randomBytes = (count: number): Uint8Array => {
  if (count > AT_ONCE) return randomFillSync(new Uint8Array(count));
  if (count > left) {
    randomFillSync(pool);
    left = AT_ONCE;
  }
  const from = left - count;
  const given = pool.slice(from, left);
  pool.fill(0, from, left);
  left = from;
  return given;
};

export const makeRandom = (): Random => ({
  bytes: randomBytes,
  text: (count) => Buffer.from(randomBytes(count).buffer).toString('base64url'),
});
