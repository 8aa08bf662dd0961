import { ES256_ORDER, ES256_SIZE, hasLowSignature } from '../../core/access-token.ts';

/** The token with its signature in the lower of its two spellings, see decision 0016. */
export const withLowSignature = (token: string): string => {
  if (hasLowSignature(token)) return token;
  const at = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(at), 'base64url');
  const s = BigInt(`0x${signature.toString('hex', ES256_SIZE)}`);
  const lower = (ES256_ORDER - s).toString(16).padStart(2 * ES256_SIZE, '0');
  const parts = [signature.subarray(0, ES256_SIZE), Buffer.from(lower, 'hex')];
  return token.slice(0, at) + Buffer.concat(parts).toString('base64url');
};
