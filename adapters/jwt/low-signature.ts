/** Half the order of P-256, rounded down (FIPS 186-5, SP 800-186 section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const HALF = Buffer.from((ORDER >> 1n).toString(16).padStart(64, '0'), 'hex');

/** Bytes of each of the two numbers, r and s, that a signature of ES256 is (RFC 7518 section 3.4). */
const SIZE = 32;

const partsOf = (token: string) => {
  const at = token.lastIndexOf('.') + 1;
  return { signed: token.slice(0, at), signature: Buffer.from(token.slice(at), 'base64url') };
};

const isLow = (s: Buffer) => Buffer.compare(s, HALF) <= 0;

/**
 * Whether a token's signature is the one of its two spellings that we use: with (r, s) anybody can make (r, order - s),
 * which verifies as well.
 * See decision 0016.
 */
export const hasLowSignature = (token: string): boolean => {
  const { signature } = partsOf(token);
  return signature.length === 2 * SIZE && isLow(signature.subarray(SIZE));
};

/** The token with its signature in that spelling. */
export const withLowSignature = (token: string): string => {
  const { signed, signature } = partsOf(token);
  const s = signature.subarray(SIZE);
  if (isLow(s)) return token;
  const lower = (ORDER - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(2 * SIZE, '0');
  return (
    signed + Buffer.concat([signature.subarray(0, SIZE), Buffer.from(lower, 'hex')]).toString('base64url')
  );
};
