import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { type AppleSettings, BASE_URLS } from '../../../adapters/oidc/provider-settings.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { openIdentityProvider } from '../../support/servers/identity-provider.ts';
import {
  CLIENT,
  COMMON,
  type IdpClient,
  openIdOf,
  openIdp,
  REDIRECT_URI,
  runFlow,
} from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const OURS = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

const signIn = async (
  client: IdpClient,
  provider: HostileProvider,
  more: readonly (readonly [string, string])[] = [],
) => {
  const { address, flow } = await client.begin();
  return client.identify([...provider.meet(address), ...more], flow);
};

describe('The email of an identity', () => {
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());
  const signInWith = (change: Parameters<typeof openIdOf>[0]) =>
    signIn(openIdp(openIdOf({ issuer: provider.issuer, ...change })), provider);

  it('is verified only if its claim is true', async () => {
    for (const [claim, verified] of [
      ...[[true, true] as const, [false, false] as const, [undefined, false] as const],
      ...(['true', 'false', 1, null, {}] as const).map((value) => [value, false] as const),
    ]) {
      provider.claims = { email_verified: claim };
      expect(await signInWith({}), String(claim)).to.include({
        email: 'ada@example.com',
        emailVerified: verified,
      });
    }
  });

  it('is never or always verified if configured so, and never if missing or malformed', async () => {
    expect(await signInWith({ email: 'never' })).to.include({
      email: 'ada@example.com',
      emailVerified: false,
    });
    provider.claims = { email_verified: undefined };
    expect(await signInWith({ email: 'always' })).to.include({ emailVerified: true });
    for (const email of [undefined, '', ' ', 7, null, `${'a'.repeat(320)}@b.c`]) {
      provider.claims = { email };
      expect(await signInWith({ email: 'always' }), String(email)).to.include({
        email: null,
        emailVerified: false,
      });
    }
  });

  it('is not verified by a claim of another source, nor taken from another subject', async () => {
    provider.claims = { email: undefined };
    provider.userInfo = { sub: 'subject-1', email: 'eve@example.com' };
    expect(await signInWith({})).to.include({ email: 'eve@example.com', emailVerified: false });
    provider.userInfo = { sub: 'subject-2', email: 'ada@example.com', email_verified: true };
    expect(await rejectionOf(() => signInWith({}))).to.include(INVALID);
  });

  it('is returned with name and picture only if these are valid', async () => {
    const https = 'https://id.example/a.png';
    for (const [claims, name, picture] of [
      [{ name: ' Ada ', picture: https }, 'Ada', https],
      [{ name: 7, picture: 'http://id.example/a.png' }, null, null],
      [{ name: 'a'.repeat(2_049), picture: `${https}?${'a'.repeat(2_048)}` }, null, null],
      [{ name: '', picture: 'javascript:alert(1)//https://' }, null, null],
      [{ name: 'half \ud800', picture: https }, null, https],
      [{ picture: 'https://me:word@id.example/' }, null, null],
      [{ picture: 'https://id.example/a b' }, null, null],
    ] as const) {
      provider.claims = claims;
      expect(await signInWith({})).to.include({ name, picture });
    }
  });
});

describe('The Apple provider', () => {
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
  const open = () => openIdp(settings, { baseUrls: { ...BASE_URLS, apple: provider.issuer } });

  it('is asked for form_post, and receives a client secret signed for ten minutes', async () => {
    const client = open();
    expect(client.port.list).to.deep.equal([
      { id: 'staff', name: 'Staff', signUp: true, picture: false, formPost: true },
    ]);
    const { address } = await client.begin(true);
    const { response_mode: mode, prompt } = Object.fromEntries(new URL(address).searchParams);
    expect([mode, prompt]).to.deep.equal(['form_post', undefined]);
    await signIn(client, provider);
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

  it('may send email_verified as boolean or text, and the name in the form', async () => {
    const client = open();
    const ada = JSON.stringify({
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      email: 'eve@example.com',
    });
    for (const verified of [true, 'true']) {
      provider.claims = { email_verified: verified };
      expect(await signIn(client, provider, [['user', ada]])).to.include({
        ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      });
    }
    for (const verified of ['false', 1, undefined]) {
      provider.claims = { email_verified: verified, name: 'of the token' };
      expect(await signIn(client, provider)).to.include({ emailVerified: false, name: null });
    }
    for (const user of ['', '{', '[]', '{"name":"Ada"}', '{"name":{"firstName":7}}'])
      expect(await signIn(client, provider, [['user', user]])).to.include({ name: null });
  });

  it('may report a cancelled sign-in with its own error code', async () => {
    const client = open();
    const { flow } = await client.begin();
    const answer = [
      ['error', 'user_cancelled_authorize'],
      ['state', flow.state],
      ['iss', provider.issuer],
    ] as const;
    expect(await rejectionOf(() => client.identify(answer, flow))).to.include({ code: 'access_denied' });
  });
});

describe('A proof by a provider', () => {
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());

  const prove = async (client: IdpClient, isProof = true) => {
    const { address, flow } = await client.begin(isProof);
    return client.identify(provider.meet(address), flow);
  };

  it('requires a valid auth_time, unlike a sign-in', async () => {
    for (const preset of [null, 'gitlab'] as const) {
      const client = openIdp(openIdOf({ preset, issuer: provider.issuer }));
      for (const time of [undefined, null, '1700000000', true, [1_700_000_000], {}]) {
        provider.claims = { auth_time: time };
        expect(await rejectionOf(() => prove(client)), JSON.stringify(time)).to.include(INVALID);
      }
      provider.claims = { auth_time: 1_700_000_000 };
      expect(await prove(client)).to.include({ authenticatedAt: 1_700_000_000_000 });
      // These times are infinite in milliseconds.
      for (const time of [1e308, -1e308]) {
        provider.claims = { auth_time: time };
        expect(await rejectionOf(() => prove(client)), `${time}`).to.include(INVALID);
      }
      provider.claims = {};
      expect(await prove(client, false)).to.include({ authenticatedAt: null });
    }
  });

  it('requires no auth_time of a provider that cannot be asked for a new sign-in', async () => {
    const client = openIdp(
      { ...COMMON, preset: 'google' },
      { baseUrls: { ...BASE_URLS, google: provider.issuer } },
    );
    expect((await client.begin(true)).address).not.to.include('max_age');
    expect(await prove(client)).to.include({ authenticatedAt: null });
  });
});

describe('Presets over node-oidc-provider', () => {
  const claims = { email: 'ada@example.com', email_verified: true, tid: OURS, oid: OID, xms_edov: true };
  const serve = (path = '') =>
    openIdentityProvider({ client: CLIENT, redirectUri: REDIRECT_URI, claims, claimsInToken: true, path });

  it('work for Google, GitLab and Microsoft, and for proofs', async () => {
    const path = `/${OURS}/v2.0`;
    const [plain, entra] = await Promise.all([serve(), serve(path)]);
    const entraUrl = entra.issuer.slice(0, -path.length);
    try {
      const baseUrls = { ...BASE_URLS, google: plain.issuer, microsoft: entraUrl };
      const google = openIdp({ ...COMMON, preset: 'google' }, { baseUrls });
      const gitlab = openIdp({ ...COMMON, preset: 'gitlab', issuer: plain.issuer });
      for (const client of [google, gitlab])
        expect(await runFlow(plain, client)).to.include({ subject: 'subject-1', emailVerified: true });
      // A list with only this tenant allows verified emails.
      for (const tenants of [[], [OURS]]) {
        const client = openIdp({ ...COMMON, preset: 'microsoft', tenant: OURS, tenants }, { baseUrls });
        expect(await runFlow(entra, client)).to.include({
          ...{ subject: `${OURS}.${OID}`, emailVerified: tenants.length > 0 },
        });
      }
      // Google refuses `prompt=login`.
      expect((await google.begin(true)).address).to.not.include('prompt');
      const single = openIdp({ ...COMMON, preset: 'microsoft', tenant: OURS, tenants: [] }, { baseUrls });
      for (const [client, provider] of [
        [gitlab, plain],
        [single, entra],
      ] as const) {
        const { address, flow } = await client.begin(true);
        expect(address).to.include('prompt=login').and.include('max_age=0');
        const before = Date.now();
        const { authenticatedAt } = await client.identify(await provider.visit(address), flow);
        // The provider sends whole seconds.
        expect(authenticatedAt).to.be.within(before - 999, Date.now());
        const cut = new URL(address);
        for (const name of ['prompt', 'max_age']) cut.searchParams.delete(name);
        const answer = await provider.visit(cut.href);
        expect(await rejectionOf(() => client.identify(answer, flow))).to.include(INVALID);
        expect(client.reasons()).to.deep.equal(['auth_time']);
      }
    } finally {
      await Promise.all([plain.close(), entra.close()]);
    }
  });
});
