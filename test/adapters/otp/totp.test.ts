import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
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
      await totp.present(new Uint8Array(20), 'user@example.com');
      console.log(JSON.stringify([atStart, afterStep, count() > afterStep]));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(loaded)).to.deep.equal([0, 1, true]);
  });
});
