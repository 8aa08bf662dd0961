import { createHmac, type KeyObject, sign } from 'node:crypto';

/** The time of the tests in milliseconds, and valid claims of user 1. */
export const NOW = Date.UTC(2026, 0, 1);
export const validClaims = {
  iss: 'https://drop.test',
  aud: 'gatehouse',
  sub: 'user-1',
  sid: 'session-1',
  jti: 'token-1',
  iat: NOW / 1000,
  exp: NOW / 1000 + 900,
};

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Joins header and payload (objects, or JSON texts) with the signature of `signer`. */
export const mint = (header: unknown, payload: unknown, signer: (input: Buffer) => Buffer): string => {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`;
};

const isLow = (signature: Buffer) => (signature[signature.length / 2] ?? 0) < 0x80;

/** Signs until S is low, as in our tokens, or high if `low` is false. */
export const byEcdsa =
  (key: KeyObject, hash = 'sha256', low = true) =>
  (input: Buffer): Buffer => {
    for (;;) {
      const signature = sign(hash, input, { key, dsaEncoding: 'ieee-p1363' });
      if (isLow(signature) === low) return signature;
    }
  };

export const byRsa = (key: KeyObject) => (input: Buffer) => sign('sha256', input, key);
export const byEd25519 = (key: KeyObject) => (input: Buffer) => sign(null, input, key);
export const byHmac = (secret: string | Buffer) => (input: Buffer) =>
  createHmac('sha256', secret).update(input).digest();
export const unsigned = () => Buffer.alloc(0);
