import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { makeAccessTokens } from '../../../adapters/jwt/access-tokens.ts';
import { openSigningKeys, type SigningKeys } from '../../../adapters/jwt/signing-keys.ts';
import type { AccessTokens } from '../../../core/accounts/ports.ts';
import {
  createIntrospector,
  createVerifier,
  type Verifier,
  VerifyError,
} from '../../../servers/verify/index.ts';
import {
  forgedTokens,
  ourKeySet,
  seconds,
  signedByUs,
  validHeader,
  withClaims,
} from '../../adapters/jwt/forged-tokens.ts';
import { mint, NOW, validClaims } from '../../adapters/jwt/minting.ts';
import { testAccessTokens } from '../../contracts/access-tokens.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { makeJwks, refusalOf } from './jwks.ts';

const issuer = 'https://drop.test';

describe('The verifier', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  let keys: SigningKeys;
  let verifier: Verifier;
  let clock: sinon.SinonFakeTimers;
  before(async () => {
    const file = join(folder, 'signing-keys.json');
    writeFileSync(file, JSON.stringify(ourKeySet));
    keys = await openSigningKeys({ file, log: makeRecordingLog() });
  });
  beforeEach(() => {
    verifier = createVerifier({ issuer, fetch: makeJwks(keys.published(NOW)).fetch });
    clock = sinon.useFakeTimers({ now: NOW, toFake: ['Date'] });
  });
  afterEach(() => clock.restore());
  after(() => {
    keys.close();
    rmSync(folder, { recursive: true });
  });

  /** The account service's tokens with this verifier: both sides must accept and refuse the same tokens. */
  const openWithVerifier = async (): Promise<AccessTokens> => ({
    ...makeAccessTokens({ keys, issuer, audience: 'gatehouse' }),
    verify: async (token, now) => {
      clock.setSystemTime(now);
      return verifier.verify(token).catch((error) => {
        if (error instanceof VerifyError && error.code === 'invalid_token') return undefined;
        throw error;
      });
    },
  });
  testAccessTokens('gatehouse/verify', openWithVerifier);

  it('accepts a token at the beginning and the end of its lifetime', async () => {
    const expected = { userId: 'user-1', sessionId: 'session-1', tokenId: 'token-1' };
    expect(await verifier.verify(mint(validHeader, validClaims, signedByUs))).to.include(expected);
    expect(await verifier.verify(withClaims({ iat: seconds + 60, nbf: seconds }))).to.include(expected);
    expect(await verifier.verify(withClaims({ exp: seconds + 1 }))).to.include(expected);
  });

  for (const [flaw, token] of Object.entries(forgedTokens)) {
    it(`refuses a token with ${flaw}`, async () => {
      const { code, status, headers } = await refusalOf(verifier.verify(token));
      expect({ code, status, headers }).to.deep.equal({
        code: 'invalid_token',
        status: 401,
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    });
  }

  it('requires the configured issuer and audience', async () => {
    const { fetch } = makeJwks(keys.published(NOW));
    const other = createVerifier({ issuer: 'https://other.test/', audience: 'files', fetch });
    const claims = { iss: 'https://other.test', aud: 'files' };
    expect(await other.verify(withClaims(claims))).to.include({ userId: 'user-1' });
    expect(await other.verify(withClaims({ ...claims, aud: ['mail', 'files'] }))).to.include({
      userId: 'user-1',
    });
    for (const wrong of [{ iss: issuer }, { aud: 'gatehouse' }, { aud: ['mail'] }]) {
      expect((await refusalOf(other.verify(withClaims({ ...claims, ...wrong })))).code).to.equal(
        'invalid_token',
      );
    }
  });

  it('throws a `TypeError` for a missing or malformed issuer or url', () => {
    for (const wrong of [undefined, null, '', 'accounts', 'ftp://accounts.test', {}]) {
      const options = { issuer: wrong } as unknown as Parameters<typeof createVerifier>[0];
      expect(() => createVerifier(options), String(wrong)).to.throw(TypeError, /^issuer must be an address/);
    }
    expect(() => createVerifier({ issuer, url: 'accounts' })).to.throw(TypeError, /^url must be an address/);
  });

  it('throws a `TypeError` with the name of another malformed option, as the introspector does', () => {
    for (const [name, values] of [
      ['audience', ['', null, 3, ['notes']]],
      ['fetch', [null, 'fetch']],
    ] as const)
      for (const value of values) {
        const options = { issuer, url: issuer, secret: 'a'.repeat(32), [name]: value } as never;
        for (const create of [createVerifier, createIntrospector])
          expect(() => create(options), String(value)).to.throw(TypeError, `${name} must be`);
      }
    for (const create of [createVerifier, createIntrospector])
      expect(() => create(undefined as never)).to.throw(TypeError, 'options');
  });

  it('refuses tokens that are not strings, as the introspector does, with or without an error in the challenge', async () => {
    const { introspect } = createIntrospector({ url: issuer, secret: 'a'.repeat(32) });
    for (const [token, challenge] of [
      [undefined, 'Bearer'],
      [null, 'Bearer'],
      [{}, 'Bearer error="invalid_token"'],
      [Symbol('token'), 'Bearer error="invalid_token"'],
    ] as const)
      for (const check of [verifier.verify, introspect]) {
        const { code, headers } = await refusalOf(check(token as never));
        expect(code).to.equal('invalid_token');
        expect(headers).to.deep.equal({ 'WWW-Authenticate': challenge });
      }
  });
});
