import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { type AppleSettings, PLACES } from '../../../adapters/oidc/settings.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { openIdentityProvider } from '../../support/servers/identity-provider.ts';
import { anOpenId, CLIENT, COMMON, type One, openOne, REDIRECT_URI, takeTrip } from './trips.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const OURS = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

const meet = async (
  one: One,
  provider: HostileProvider,
  more: readonly (readonly [string, string])[] = [],
) => {
  const { address, trip } = await one.begin();
  return one.identify([...provider.meet(address), ...more], trip);
};

describe('What providers say of an email', () => {
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());
  const meetAs = (change: Parameters<typeof anOpenId>[0]) =>
    meet(openOne(anOpenId({ issuer: provider.issuer, ...change })), provider);

  it('is verified when they say true, and nothing else', async () => {
    for (const [claim, verified] of [
      ...[[true, true] as const, [false, false] as const, [undefined, false] as const],
      ...(['true', 'false', 1, null, {}] as const).map((value) => [value, false] as const),
    ]) {
      provider.claims = { email_verified: claim };
      expect(await meetAs({}), String(claim)).to.include({
        email: 'ada@example.com',
        emailVerified: verified,
      });
    }
  });

  it('is verified never or always where the settings say so, and never without an email', async () => {
    expect(await meetAs({ email: 'never' })).to.include({ email: 'ada@example.com', emailVerified: false });
    provider.claims = { email_verified: undefined };
    expect(await meetAs({ email: 'always' })).to.include({ emailVerified: true });
    for (const email of [undefined, '', ' ', 7, null, `${'a'.repeat(320)}@b.c`]) {
      provider.claims = { email };
      expect(await meetAs({ email: 'always' }), String(email)).to.include({
        email: null,
        emailVerified: false,
      });
    }
  });

  it('comes with the word of the same place about it', async () => {
    provider.claims = { email: undefined };
    provider.userInfo = { sub: 'subject-1', email: 'eve@example.com' };
    expect(await meetAs({})).to.include({ email: 'eve@example.com', emailVerified: false });
    provider.userInfo = { sub: 'subject-2', email: 'ada@example.com', email_verified: true };
    expect(await rejectionOf(() => meetAs({}))).to.include(INVALID);
  });

  it('comes with a name and a picture only where these are what they should be', async () => {
    const https = 'https://id.example/a.png';
    for (const [given, name, picture] of [
      [{ name: ' Ada ', picture: https }, 'Ada', https],
      [{ name: 7, picture: 'http://id.example/a.png' }, null, null],
      [{ name: 'a'.repeat(2_049), picture: `${https}?${'a'.repeat(2_048)}` }, null, null],
      [{ name: '', picture: 'javascript:alert(1)//https://' }, null, null],
      [{ name: 'half \ud800', picture: https }, null, https],
      [{ picture: 'https://me:word@id.example/' }, null, null],
      [{ picture: 'https://id.example/a b' }, null, null],
    ] as const) {
      provider.claims = given;
      expect(await meetAs({})).to.include({ name, picture });
    }
  });
});

describe('Apple', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const settings: AppleSettings = {
    ...COMMON,
    ...{ preset: 'apple', teamId: 'TEAM123456', keyId: 'KEY1234567' },
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());
  const open = () => openOne(settings, { places: { ...PLACES, apple: provider.issuer } });

  it('is asked for a form, with a secret that we sign for one call', async () => {
    const one = open();
    expect(one.port.list).to.deep.equal([
      { id: 'staff', name: 'Staff', signUp: true, picture: false, formPost: true },
    ]);
    const { address } = await one.begin(true);
    const { response_mode: mode, prompt } = Object.fromEntries(new URL(address).searchParams);
    expect([mode, prompt]).to.deep.equal(['form_post', undefined]);
    await meet(one, provider);
    const form = new URLSearchParams(provider.asked.find(({ path }) => path === '/token')?.body);
    const { payload, protectedHeader } = await jwtVerify(
      form.get('client_secret') ?? '',
      createPublicKey(privateKey),
    );
    expect(protectedHeader).to.deep.equal({ alg: 'ES256', kid: 'KEY1234567' });
    expect(payload).to.include({ iss: 'TEAM123456', sub: CLIENT.id, aud: provider.issuer });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).to.equal(600);
    expect(form.get('code_verifier')).to.match(/^[\w-]{43}$/);
  });

  it('says true in two ways, and the name in the form', async () => {
    const one = open();
    const ada = JSON.stringify({
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      email: 'eve@example.com',
    });
    for (const verified of [true, 'true']) {
      provider.claims = { email_verified: verified };
      expect(await meet(one, provider, [['user', ada]])).to.include({
        ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      });
    }
    for (const verified of ['false', 1, undefined]) {
      provider.claims = { email_verified: verified, name: 'of the token' };
      expect(await meet(one, provider)).to.include({ emailVerified: false, name: null });
    }
    for (const user of ['', '{', '[]', '{"name":"Ada"}', '{"name":{"firstName":7}}'])
      expect(await meet(one, provider, [['user', user]])).to.include({ name: null });
  });

  it('may say in a word of its own that the person went away', async () => {
    const one = open();
    const { trip } = await one.begin();
    const answer = [
      ['error', 'user_cancelled_authorize'],
      ['state', trip.state],
      ['iss', provider.issuer],
    ] as const;
    expect(await rejectionOf(() => one.identify(answer, trip))).to.include({ code: 'access_denied' });
  });
});

describe('Presets over node-oidc-provider', () => {
  const claims = { email: 'ada@example.com', email_verified: true, tid: OURS, oid: OID, xms_edov: true };
  const serve = (path = '') =>
    openIdentityProvider({ client: CLIENT, redirectUri: REDIRECT_URI, claims, claimsInToken: true, path });

  it('are Google, GitLab and Microsoft', async () => {
    const path = `/${OURS}/v2.0`;
    const [plain, entra] = await Promise.all([serve(), serve(path)]);
    const place = entra.issuer.slice(0, -path.length);
    try {
      const places = { ...PLACES, google: plain.issuer, microsoft: place };
      const google = openOne({ ...COMMON, preset: 'google' }, { places });
      const gitlab = openOne({ ...COMMON, preset: 'gitlab', issuer: plain.issuer });
      for (const one of [google, gitlab])
        expect(await takeTrip(plain, one)).to.include({ subject: 'subject-1', emailVerified: true });
      // A list with the tenant alone says that its emails may be verified.
      for (const tenants of [[], [OURS]]) {
        const one = openOne({ ...COMMON, preset: 'microsoft', tenant: OURS, tenants }, { places });
        expect(await takeTrip(entra, one)).to.include({
          ...{ subject: `${OURS}.${OID}`, emailVerified: tenants.length > 0 },
        });
      }
      // Google refuses `prompt=login`.
      expect((await google.begin(true)).address).to.not.include('prompt');
      const single = openOne({ ...COMMON, preset: 'microsoft', tenant: OURS, tenants: [] }, { places });
      expect((await single.begin(true)).address)
        .to.include('prompt=login')
        .and.not.include('max_age');
    } finally {
      await Promise.all([plain.close(), entra.close()]);
    }
  });
});
