import { randomBytes, randomFillSync } from 'node:crypto';
import type { Random } from '../../core/ports.ts';

/** Random bytes of the operating system's generator. */
export const makeRandom = (): Random => ({
  bytes: (count) => randomFillSync(new Uint8Array(count)),
  text: (bytes) => randomBytes(bytes).toString('base64url'),
});
