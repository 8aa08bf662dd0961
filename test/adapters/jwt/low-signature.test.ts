import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect } from 'chai';
import { withLowSignature } from '../../../adapters/jwt/access-tokens.ts';
import { hasLowSignature } from '../../../core/access-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signed = 'header.claims.';

const bytes = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
const tokenOf = (r: bigint, s: bigint) => signed + Buffer.concat([bytes(r), bytes(s)]).toString('base64url');
const ORDER = BigInt('115792089210356248762697446949407573529996955224135760342422259061068512044369');

const signatureOf = (token: string) => Buffer.from(token.slice(signed.length), 'base64url');
const isValid = (token: string) => {
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(signed.slice(0, -1)), key, signatureOf(token));
};

describe('The low-S form of a signature', () => {
  it('is the result for both forms, and verifies', () => {
    for (let time = 0; time < 50; time += 1) {
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(signed.slice(0, -1)), key);
      const token = signed + signature.toString('base64url');
      const low = withLowSignature(token);
      expect(isValid(low)).to.equal(true);
      expect(withLowSignature(low)).to.equal(low);

      const [r, s] = [0, 32].map((at) =>
        BigInt(
          `0x${signatureOf(low)
            .subarray(at, at + 32)
            .toString('hex')}`,
        ),
      );
      const high = tokenOf(r ?? 0n, ORDER - (s ?? 0n));
      expect(isValid(high), 'the high-S form verifies too').to.equal(true);
      expect(withLowSignature(high)).to.equal(low);
      expect([hasLowSignature(low), hasLowSignature(high)]).to.deep.equal([true, false]);
    }
  });

  it('has an S of at most half the order of the curve', () => {
    const half = ORDER / 2n;
    expect([half, half + 1n].map((s) => hasLowSignature(tokenOf(1n, s)))).to.deep.equal([true, false]);
    expect(withLowSignature(tokenOf(1n, ORDER - 1n))).to.equal(tokenOf(1n, 1n));
  });

  it('is not recognised in a text of another length', () => {
    for (const text of [
      '',
      'AAAA',
      Buffer.alloc(63).toString('base64url'),
      Buffer.alloc(65).toString('base64url'),
    ])
      expect(hasLowSignature(signed + text)).to.equal(false);
  });
});
