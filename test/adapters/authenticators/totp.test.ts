import { execFileSync } from 'node:child_process';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import decodeQR from 'qr/decode.js';
import { keyUri, makeTotp } from '../../../adapters/authenticators/totp.ts';
import { readImage } from '../../../core/images/index.ts';
import { testTotp } from '../../contracts/totp.ts';

testTotp('otpauth', () => makeTotp({ issuer: 'Gatehouse' }));

const SECRET = new TextEncoder().encode('12345678901234567890');

describe('The TOTP adapter', () => {
  it('puts issuer, account, secret and code parameters into the otpauth URI', () => {
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

  it('escapes issuer and account in the otpauth URI', () => {
    const issuer = 'Drop & Co: ?secret=A#1';
    const account = 'a+b/c?issuer=Bank&secret=A#%41@example.com';
    const uri = new URL(keyUri(issuer, account, SECRET));
    expect(uri.hash).to.equal('');
    expect(uri.searchParams.getAll('secret')).to.deep.equal(['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ']);
    expect(uri.searchParams.getAll('issuer')).to.deep.equal([issuer]);
    const label = uri.pathname.slice(1).split(':');
    expect(label.map(decodeURIComponent)).to.deep.equal([issuer, account]);
  });

  it('loads its package on first use', () => {
    const adapter = new URL('../../../adapters/authenticators/totp.js', import.meta.url).href;
    const script = `
      import { createRequire } from 'node:module';
      import { makeTotp } from ${JSON.stringify(adapter)};
      const count = () => Object.keys(createRequire(import.meta.url).cache).length;
      const totp = makeTotp({ issuer: 'Gatehouse' });
      const atStart = count();
      totp.step(new Uint8Array(20), '000000', 0, 0);
      const afterStep = count();
      console.log(JSON.stringify([atStart, afterStep]));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(loaded)).to.deep.equal([0, 1]);
  });
});

describe('The QR code for authenticator apps', () => {
  const totp = makeTotp({ issuer: 'Gatehouse' });

  /** Decodes a one-bit grey PNG into RGBA pixels. */
  const pixelsOf = (url: string) => {
    const image = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
    expect([...image.subarray(24, 26)], 'one bit, grey').to.deep.equal([1, 0]);
    const at = image.indexOf('IDAT');
    const packed = inflateSync(image.subarray(at + 4, at + 4 + image.readUInt32BE(at - 4)));
    const line = 1 + Math.ceil(width / 8);
    const isWhite = (x: number, y: number) =>
      (((packed[y * line + 1 + (x >> 3)] ?? 0) >> (7 - (x % 8))) & 1) === 1;
    const data = new Uint8Array(width * height * 4).fill(255);
    for (let at = 0; at < width * height; at += 1) {
      const light = isWhite(at % width, Math.floor(at / width)) ? 255 : 0;
      data.fill(light, at * 4, at * 4 + 3);
    }
    return { width, height, data };
  };

  for (const account of ['user@example.com', 'ż', `${'x'.repeat(64)}@${'y'.repeat(180)}.example`]) {
    it(`encodes the otpauth URI of ${account.slice(0, 16)} for a third-party decoder`, async () => {
      const url = await totp.qrCode(SECRET, account);
      expect(url).to.match(/^data:image\/png;base64,/);
      expect(decodeQR(pixelsOf(url))).to.equal(keyUri('Gatehouse', account, SECRET));
    });
  }

  it('has a margin of four modules of four pixels and is a valid PNG', async () => {
    const url = await totp.qrCode(SECRET, 'user@example.com');
    const { width, height, data } = pixelsOf(url);
    expect([height, (width / 4 - 8) % 4]).to.deep.equal([width, 1]);
    const rows = (from: number, to: number) => data.subarray(from * width * 4, to * width * 4);
    expect(rows(0, 16).every((byte) => byte === 255)).to.equal(true);
    expect(rows(16, 17).some((byte) => byte === 0)).to.equal(true);
    const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    expect(readImage(bytes, { sideLongest: 1_000, pixelsMost: 1_000_000 })).to.include({ type: 'image/png' });
  });
});
