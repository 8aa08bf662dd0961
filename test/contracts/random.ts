import { expect } from 'chai';
import type { Random } from '../../core/ports.ts';

export const testRandom = (name: string, make: () => Random): void => {
  describe(`Random: ${name}`, () => {
    it('returns the requested number of bytes', () => {
      const random = make();
      for (const count of [0, 1, 16, 32, 100_000]) expect(random.bytes(count)).to.have.length(count);
    });

    it('returns the requested number of bytes as unpadded base64url', () => {
      const random = make();
      for (const count of [1, 16, 31, 32]) {
        const text = random.text(count);
        expect(text).to.match(/^[A-Za-z0-9_-]+$/);
        expect(Buffer.from(text, 'base64url')).to.have.length(count);
      }
    });

    it('never returns a text twice', () => {
      const random = make();
      const texts = Array.from({ length: 1000 }, () => random.text(16));
      expect(new Set(texts).size).to.equal(1000);
    });

    it('returns bytes in a buffer of its own, which later calls do not change', () => {
      const random = make();
      const first = random.bytes(16);
      const copy = Uint8Array.from(first);
      for (let time = 0; time < 1000; time += 1) random.bytes(16).fill(0);
      expect(first).to.deep.equal(copy);
      expect(first.buffer.byteLength).to.equal(16);
    });

    it('sets every bit about half of the time', () => {
      const bytes = make().bytes(8192);
      for (let bit = 0; bit < 8; bit += 1) {
        const set = bytes.filter((byte) => (byte >> bit) & 1).length;
        // Ten standard deviations around the half.
        expect(set).to.be.within(4096 - 453, 4096 + 453);
      }
    });
  });
};
