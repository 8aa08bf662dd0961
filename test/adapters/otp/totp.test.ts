import { execFileSync } from 'node:child_process';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import qrCode from 'qrcode';
import { keyUri, makeTotp } from '../../../adapters/otp/totp.ts';
import { testTotp } from '../../contracts/totp.ts';

testTotp('otpauth', () => makeTotp({ issuer: 'Gatehouse' }));

const SECRET = new TextEncoder().encode('12345678901234567890');

describe('The address for authenticator apps', () => {
  it('names issuer, account and secret and how codes are made', () => {
    const uri = new URL(keyUri('Gatehouse', 'user@example.com', SECRET));
    expect(uri.protocol).to.equal('otpauth:');
    expect(uri.host).to.equal('totp');
    expect(decodeURIComponent(uri.pathname)).to.equal('/Gatehouse:user@example.com');
    expect(Object.fromEntries(uri.searchParams)).to.deep.equal({
      issuer: 'Gatehouse',
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });

  it('lets neither issuer nor account add to it', () => {
    const issuer = 'Drop & Co: ?secret=A#1';
    const account = 'a+b/c?issuer=Bank&secret=A#%41@example.com';
    const uri = new URL(keyUri(issuer, account, SECRET));
    expect(uri.hash).to.equal('');
    expect(uri.searchParams.getAll('secret')).to.deep.equal(['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ']);
    expect(uri.searchParams.getAll('issuer')).to.deep.equal([issuer]);
    const label = uri.pathname.slice(1).split(':');
    expect(label.map(decodeURIComponent)).to.deep.equal([issuer, account]);
  });

  it('costs nothing at start: its packages are loaded when they are needed', () => {
    const adapter = new URL('../../../adapters/otp/totp.js', import.meta.url).href;
    const script = `
      import { createRequire } from 'node:module';
      import { makeTotp } from ${JSON.stringify(adapter)};
      const count = () => Object.keys(createRequire(import.meta.url).cache).length;
      const totp = makeTotp({ issuer: 'Gatehouse' });
      const atStart = count();
      totp.step(new Uint8Array(20), '000000', 0, 0);
      const afterStep = count();
      await totp.qrCode(new Uint8Array(20), 'user@example.com');
      console.log(JSON.stringify([atStart, afterStep, count() > afterStep]));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(loaded)).to.deep.equal([0, 1, true]);
  });
});

describe('The QR code for authenticator apps', () => {
  const totp = makeTotp({ issuer: 'Gatehouse' });
  const address = keyUri('Gatehouse', 'user@example.com', SECRET);

  /** The rows of an image as it is made here, one character a pixel. */
  const rowsOf = (url: string): readonly string[] => {
    const image = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    const side = image.readUInt32BE(16);
    expect([image.readUInt32BE(20), image[24], image[25]], 'square, 8 bits, RGBA').to.deep.equal([
      side,
      8,
      6,
    ]);
    const parts: Buffer[] = [];
    for (let at = 8; at < image.length; ) {
      const length = image.readUInt32BE(at);
      if (image.toString('latin1', at + 4, at + 8) === 'IDAT')
        parts.push(image.subarray(at + 8, at + 8 + length));
      at += length + 12;
    }
    const pixels = inflateSync(Buffer.concat(parts));
    return Array.from({ length: side }, (_, y) => {
      const row = pixels.subarray(y * (side * 4 + 1), (y + 1) * (side * 4 + 1));
      expect(row[0], 'no filter').to.equal(0);
      return Array.from({ length: side }, (_, x) => (row[1 + x * 4] === 0 ? '#' : ' ')).join('');
    });
  };

  it('shows the address, four pixels a module with a margin of four modules', async () => {
    const { modules } = qrCode.create(address);
    const rows = rowsOf(await totp.qrCode(SECRET, 'user@example.com'));
    expect(rows).to.have.lengthOf((modules.size + 8) * 4);
    const moduleAt = (x: number, y: number) =>
      x >= 0 && y >= 0 && x < modules.size && y < modules.size && modules.get(y, x) ? '#' : ' ';
    for (const [y, row] of rows.entries()) {
      const expected = [...row].map((_, x) => moduleAt((x >> 2) - 4, (y >> 2) - 4)).join('');
      expect(row).to.equal(expected);
    }
  });
});
