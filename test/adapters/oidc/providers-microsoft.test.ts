import { expect } from 'chai';
import { BASE_URLS, type MicrosoftSettings } from '../../../adapters/oidc/provider-settings.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type HostileProvider, openHostileProvider } from '../../support/hostile-provider.ts';
import { CLIENT, COMMON, type One, openOne } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };
const [OURS, THEIRS, PERSONAL] = [
  '72f988bf-86f1-41af-91ab-2d7cd011db47',
  '11111111-2222-4333-8444-555555555555',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
] as const;
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

describe('Microsoft', () => {
  let provider: HostileProvider;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
  });
  afterEach(() => provider.close());

  /** As Microsoft describes itself to those who ask at this authority. */
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
    return openOne(settings, { baseUrls: { ...BASE_URLS, microsoft: provider.issuer } });
  };
  const comeFrom = (client: One, tid: string, claims: Readonly<Record<string, unknown>> = {}) => {
    provider.claims = { iss: `${provider.issuer}/${tid}/v2.0`, tid, oid: OID, ...claims };
    return (async () => {
      const { address, trip } = await client.begin();
      return client.identify(
        provider.meet(address).filter(([name]) => name !== 'iss'),
        trip,
      );
    })();
  };

  it('lets in the tenants that are set, and knows people by tenant and account', async () => {
    const all = [OURS, THEIRS, PERSONAL];
    for (const [settings, authority, issuer, letIn] of [
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
        const came = comeFrom(client, tid);
        if (letIn.some((each) => each === tid)) {
          expect(await came).to.include({
            subject: `${tid}.${OID}`,
            issuer: `${provider.issuer}/${tid}/v2.0`,
          });
        } else expect(await came.catch((error: unknown) => error), `${authority} ${tid}`).to.include(INVALID);
      }
    }
  });

  it('lets nobody in whose token names one tenant and comes from another, or none', async () => {
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
      expect(await rejectionOf(() => comeFrom(client, OURS, claims)), JSON.stringify(claims)).to.include(
        INVALID,
      );
    }
  });

  it('may name the tenant in its answer, and no other one', async () => {
    const client = open({ tenant: 'organizations' }, 'organizations');
    provider.claims = { iss: `${provider.issuer}/${OURS}/v2.0`, tid: OURS, oid: OID };
    const comeWith = async (iss: string) => {
      const { address, trip } = await client.begin();
      const answer = provider.meet(address).filter(([name]) => name !== 'iss');
      return client.identify([...answer, ['iss', iss]], trip);
    };
    expect(await comeWith(`${provider.issuer}/${OURS}/v2.0`)).to.include({ subject: `${OURS}.${OID}` });
    for (const iss of [
      provider.issuer,
      `${provider.issuer}/${PERSONAL}/v2.0`,
      `https://sts.example/${OURS}/v2.0`,
    ])
      expect(await rejectionOf(() => comeWith(iss))).to.include(INVALID);
  });

  it('vouches for an email only as a tenant of the list that says it owns the domain', async () => {
    const client = open({ tenants: [THEIRS] }, 'organizations');
    const claims = { email: 'ada@example.com', email_verified: true };
    for (const owned of [true, 1, '1'])
      expect(await comeFrom(client, THEIRS, { ...claims, xms_edov: owned })).to.include({
        emailVerified: true,
      });
    for (const owned of [undefined, false, 0, 'true', '0'])
      expect(await comeFrom(client, THEIRS, { ...claims, xms_edov: owned })).to.include({
        emailVerified: false,
      });
    const notListed = await comeFrom(client, OURS, { ...claims, xms_edov: true });
    expect(notListed).to.include({ email: 'ada@example.com', emailVerified: false });
    // Its userinfo is not asked: its emails are whatever a tenant types.
    await comeFrom(client, THEIRS, { email: undefined });
    expect(provider.asked.some(({ path }) => path === '/userinfo')).to.equal(false);
  });
});
