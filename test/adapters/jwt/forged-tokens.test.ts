import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CompactEncrypt } from 'jose';
import { makeAccessTokens } from '../../../adapters/jwt/access-tokens.ts';
import { openSigningKeys, type SigningKeys } from '../../../adapters/jwt/signing-keys.ts';
import type { AccessTokens } from '../../../core/accounts/ports.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import {
  forgedTokens,
  ourKeySet,
  ourPublicKey,
  seconds,
  signedByUs,
  validHeader,
  withClaims,
} from './forged-tokens.ts';
import { encode, mint, NOW, validClaims } from './minting.ts';

describe('An access token', () => {
  const folder = useTempFolder();
  let keys: SigningKeys;
  let tokens: AccessTokens;
  beforeEach(async () => {
    const file = join(folder(), 'signing-keys.json');
    await writeFile(file, JSON.stringify(ourKeySet));
    keys = await openSigningKeys({ file, log: makeRecordingLog() });
    tokens = makeAccessTokens({ keys, issuer: 'https://drop.test', audience: 'gatehouse' });
  });
  afterEach(() => keys.close());

  it('is accepted if our key signed all required claims', async () => {
    const expected = { userId: 'user-1', sessionId: 'session-1', tokenId: 'token-1' };
    expect(await tokens.verify(mint(validHeader, validClaims, signedByUs), NOW)).to.include(expected);
    expect(await tokens.verify(withClaims({ iat: seconds + 60, nbf: seconds }), NOW)).to.include(expected);
    expect(await tokens.verify(withClaims({ exp: seconds + 1 }), NOW)).to.include(expected);
  });

  for (const [defect, token] of Object.entries(forgedTokens)) {
    it(`is refused with ${defect}`, async () => {
      expect(await tokens.verify(token, NOW)).to.equal(undefined);
    });
  }

  it('is refused if it is encrypted to our public key', async () => {
    const header = { alg: 'ECDH-ES', enc: 'A256GCM', typ: 'at+jwt', kid: validHeader.kid };
    const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(validClaims)))
      .setProtectedHeader(header)
      .encrypt(ourPublicKey);
    expect(await tokens.verify(jwe, NOW)).to.equal(undefined);
  });

  it('is refused in the JSON serialisation', async () => {
    const [header, payload, signature] = mint(validHeader, validClaims, signedByUs).split('.');
    const json = JSON.stringify({ protected: header, payload, signature });
    expect(await tokens.verify(json, NOW)).to.equal(undefined);
    expect(await tokens.verify(encode(json), NOW)).to.equal(undefined);
  });
});
