import { expect } from 'chai';
import { BASE_URLS, type MicrosoftSettings } from '../../../adapters/oidc/provider-settings.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { CLIENT, COMMON, type IdpClient, openIdp } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const [OURS, THEIRS, PERSONAL] = [
  '72f988bf-86f1-41af-91ab-2d7cd011db47',
  '11111111-2222-4333-8444-555555555555',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
] as const;
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

describe('The Microsoft provider', () => {
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());

  /** Opens the provider, with Microsoft's metadata for this authority. */
  const open = (change: Partial<MicrosoftSettings>, authority: string, issuerOf = '{tenantid}') => {
    const description = {
      issuer: `${provider.issuer}/${issuerOf}/v2.0`,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/keys`,
      userinfo_endpoint: `${provider.issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
    provider.instead.set(`/${authority}/v2.0/.well-known/openid-configuration`, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(description));
    });
    const settings = { ...COMMON, preset: 'microsoft', tenant: OURS, tenants: [], ...change } as const;
    return openIdp(settings, { baseUrls: { ...BASE_URLS, microsoft: provider.issuer } });
  };
  const signInFrom = (client: IdpClient, tid: string, claims: Readonly<Record<string, unknown>> = {}) => {
    provider.claims = { iss: `${provider.issuer}/${tid}/v2.0`, tid, oid: OID, ...claims };
    return (async () => {
      const { address, flow } = await client.begin();
      return client.identify(
        provider.meet(address).filter(([name]) => name !== 'iss'),
        flow,
      );
    })();
  };

  it('accepts only allowed tenants, and builds the subject from tenant and account', async () => {
    const all = [OURS, THEIRS, PERSONAL];
    for (const [settings, authority, issuer, allowed] of [
      [{}, OURS, OURS, [OURS]],
      [{ tenant: 'common' }, 'common', undefined, all],
      [{ tenant: 'organizations' }, 'organizations', undefined, [OURS, THEIRS]],
      [{ tenant: 'consumers' }, 'consumers', PERSONAL, [PERSONAL]],
      [{ tenants: [THEIRS] }, 'organizations', undefined, [OURS, THEIRS]],
      [{ tenants: [PERSONAL] }, 'common', undefined, [OURS, PERSONAL]],
      [{ tenant: 'organizations', tenants: [PERSONAL] }, 'common', undefined, all],
      [{ tenant: 'consumers', tenants: [THEIRS] }, 'common', undefined, [THEIRS, PERSONAL]],
    ] as const) {
      const client = open(settings, authority, issuer);
      for (const tid of all) {
        const outcome = signInFrom(client, tid);
        if (allowed.some((each) => each === tid)) {
          expect(await outcome).to.include({
            subject: `${tid}.${OID}`,
            issuer: `${provider.issuer}/${tid}/v2.0`,
          });
        } else
          expect(await outcome.catch((error: unknown) => error), `${authority} ${tid}`).to.include(INVALID);
      }
    }
  });

  it('refuses a token whose tenant is missing, malformed or not that of its issuer', async () => {
    const client = open({ tenant: 'common' }, 'common');
    for (const claims of [
      { iss: `${provider.issuer}/${THEIRS}/v2.0` },
      { iss: `${provider.issuer}/{tenantid}/v2.0` },
      { tid: undefined },
      { tid: '{tenantid}', iss: `${provider.issuer}/{tenantid}/v2.0` },
      { tid: `${OURS}/../x` },
      { oid: undefined },
      { oid: 'me' },
    ]) {
      expect(await rejectionOf(() => signInFrom(client, OURS, claims)), JSON.stringify(claims)).to.include(
        INVALID,
      );
    }
  });

  it('accepts an iss in the callback only for the tenant of the token', async () => {
    const client = open({ tenant: 'organizations' }, 'organizations');
    provider.claims = { iss: `${provider.issuer}/${OURS}/v2.0`, tid: OURS, oid: OID };
    const signInWith = async (iss: string) => {
      const { address, flow } = await client.begin();
      const answer = provider.meet(address).filter(([name]) => name !== 'iss');
      return client.identify([...answer, ['iss', iss]], flow);
    };
    expect(await signInWith(`${provider.issuer}/${OURS}/v2.0`)).to.include({ subject: `${OURS}.${OID}` });
    for (const iss of [
      provider.issuer,
      `${provider.issuer}/${PERSONAL}/v2.0`,
      `https://sts.example/${OURS}/v2.0`,
    ])
      expect(await rejectionOf(() => signInWith(iss))).to.include(INVALID);
  });

  it('verifies an email only for a listed tenant that owns the domain', async () => {
    const client = open({ tenants: [THEIRS] }, 'organizations');
    const claims = { email: 'ada@example.com', email_verified: true };
    for (const owned of [true, 1, '1'])
      expect(await signInFrom(client, THEIRS, { ...claims, xms_edov: owned })).to.include({
        emailVerified: true,
      });
    for (const owned of [undefined, false, 0, 'true', '0'])
      expect(await signInFrom(client, THEIRS, { ...claims, xms_edov: owned })).to.include({
        emailVerified: false,
      });
    const notListed = await signInFrom(client, OURS, { ...claims, xms_edov: true });
    expect(notListed).to.include({ email: 'ada@example.com', emailVerified: false });
    // Userinfo is not requested, since a tenant can set any email there.
    await signInFrom(client, THEIRS, { email: undefined });
    expect(provider.asked.some(({ path }) => path === '/userinfo')).to.equal(false);
  });
});
