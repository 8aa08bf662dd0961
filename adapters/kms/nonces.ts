import { randomFillSync } from 'node:crypto';

const BYTES = 12;
/** As many as are made at once: a call for each would take as long as the cipher. */
const AT_ONCE = 341;

let made = Buffer.alloc(0);
let used = 0;

/** 96 random bits (NIST SP 800-38D section 8.2.2), given out once. */
export const newNonce = (): Buffer => {
  if (used === made.length) {
    made = randomFillSync(Buffer.alloc(BYTES * AT_ONCE));
    used = 0;
  }
  used += BYTES;
  return made.subarray(used - BYTES, used);
};
