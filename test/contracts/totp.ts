import { expect } from 'chai';
import type { Totp } from '../../core/accounts/ports.ts';

// RFC 6238 appendix B, SHA-1: seconds and the code of 8 digits. The suite uses the last 6 digits.
const SECRET = new TextEncoder().encode('12345678901234567890');
const VECTORS = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const;

export const testTotp = (name: string, make: () => Totp): void => {
  describe(`Totp: ${name}`, () => {
    for (const [seconds, code] of VECTORS) {
      it(`returns the time step of the RFC 6238 code for ${seconds} s`, () => {
        const step = Math.floor(seconds / 30);
        expect(make().step(SECRET, code.slice(2), seconds * 1000, 0)).to.equal(step);
      });
    }

    it('returns the time step of a code within the window only', () => {
      const { step } = make();
      const stepAt = (seconds: number, window: number) => step(SECRET, '081804', seconds * 1000, window);
      const expected = Math.floor(1111111109 / 30);
      const start = expected * 30;
      for (const seconds of [start, start + 29.999]) expect(stepAt(seconds, 0)).to.equal(expected);
      for (const seconds of [start - 30, start + 59.999]) expect(stepAt(seconds, 1)).to.equal(expected);
      for (const seconds of [start - 0.001, start + 30]) expect(stepAt(seconds, 0)).to.equal(undefined);
      for (const seconds of [start - 30.001, start + 60]) expect(stepAt(seconds, 1)).to.equal(undefined);
    });

    it('accepts exactly six ASCII digits', () => {
      const { step } = make();
      const others = [
        ...['', '81804', '0081804', '07081804', ' 081804', '081804 ', '081804\n', '081 804', '081-804'],
        ...['０８１８０４', '٠٨١٨٠٤', '+81804', '0x1401', '81804.', '8.1e+4', '08180a', '08180\u0664'],
      ];
      for (const other of others) expect(step(SECRET, other, 1111111109_000, 1), other).to.equal(undefined);
      expect(step(SECRET, '081804', 1111111109_000, 1)).to.not.equal(undefined);
    });

    it('rejects a code of another secret', () => {
      const other = new Uint8Array(20).fill(1);
      expect(make().step(other, '081804', 1111111109_000, 1)).to.equal(undefined);
    });

    it('accepts a secret that is a view of a larger buffer', () => {
      const part = new Uint8Array([9, 9, ...SECRET, 9]).subarray(2, 22);
      expect(make().step(part, '081804', 1111111109_000, 0)).to.equal(Math.floor(1111111109 / 30));
    });

    it('requires secrets of 160 bits', () => {
      expect(make().secretBytes).to.equal(20);
    });

    it('encodes a secret in base 32', () => {
      expect(make().base32(SECRET)).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    });

    it('returns a QR code as the data URL of a PNG image', async () => {
      const qrCode = await make().qrCode(SECRET, 'user@example.com');
      const [start, image = ''] = qrCode.split(',');
      expect(start).to.equal('data:image/png;base64');
      const bytes = Buffer.from(image, 'base64');
      expect(bytes.subarray(0, 8).toString('hex')).to.equal('89504e470d0a1a0a');
      expect(bytes.subarray(-8, -4).toString()).to.equal('IEND');
    });
  });
};
