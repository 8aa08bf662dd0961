import { expect } from 'chai';
import type { Digest } from '../../core/ports.ts';

const OLD = new Uint8Array(32).fill(7);
const NEW = new Uint8Array(32).fill(8);

export const testDigest = (name: string, make: (hashKeys: readonly Uint8Array[]) => Digest): void => {
  describe(`Digest: ${name}`, () => {
    it('returns SHA-256 according to FIPS 180-4', () => {
      const hex = Buffer.from(make([OLD]).sha256('abc'), 'base64url').toString('hex');
      expect(hex).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    });

    it('returns 256 bits in unpadded base64url', () => {
      const digest = make([OLD]);
      for (const text of [digest.sha256('x'), digest.keyed('code', 'x')]) {
        expect(text).to.match(/^[A-Za-z0-9_-]{43}$/);
      }
    });

    it('returns equal keyed digests in two instances with the same key', () => {
      expect(make([OLD]).keyed('code', '123456')).to.equal(make([OLD]).keyed('code', '123456'));
    });

    it('returns different digests for different texts, purposes or keys', () => {
      const digest = make([OLD]);
      const digests = [
        digest.keyed('code', '123456'),
        digest.keyed('code', '123457'),
        digest.keyed('address', '123456'),
        make([NEW]).keyed('code', '123456'),
        digest.sha256('123456'),
      ];
      expect(new Set(digests).size).to.equal(digests.length);
    });

    it('uses the newest key, and lists the digests of all keys', () => {
      const before = make([OLD]).keyed('code', '123456');
      const digest = make([NEW, OLD]);
      expect(digest.keyed('code', '123456')).to.equal(make([NEW]).keyed('code', '123456'));
      expect(digest.everyKeyed('code', '123456')).to.deep.equal([digest.keyed('code', '123456'), before]);
    });

    it('compares texts of any length by value', () => {
      const { equal } = make([OLD]);
      expect(equal('', '')).to.equal(true);
      expect(equal('zażółć', 'zażółć')).to.equal(true);
      for (const other of ['', 'a', 'abd', 'abcd', 'Abc', 'abc '])
        expect(equal('abc', other)).to.equal(false);
    });
  });
};
