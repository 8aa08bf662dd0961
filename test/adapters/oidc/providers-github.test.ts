import { expect } from 'chai';
import type { GitHubSettings } from '../../../adapters/oidc/provider-settings.ts';
import type { CallbackParams } from '../../../core/accounts/providers/identity-provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openStrictGitHub, type StrictGitHub } from '../../support/servers/strict-github.ts';
import { COMMON, openOne, REDIRECT_URI } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };

describe('GitHub', () => {
  let github: StrictGitHub;
  beforeEach(async () => {
    github = await openStrictGitHub(REDIRECT_URI);
  });
  afterEach(() => github.close());

  const open = (change: Partial<GitHubSettings> = {}) =>
    openOne({
      ...COMMON,
      preset: 'github',
      scopes: 'read:user user:email',
      clientId: github.client.id,
      clientSecret: github.client.secret,
      ...{ auth: 'post', url: github.url, apiUrl: `${github.url}/api/v3` },
      ...change,
    });
  const travel = async (
    change: Partial<GitHubSettings> = {},
    answered: (answer: CallbackParams) => CallbackParams = (answer) => answer,
  ) => {
    const client = open(change);
    const { address, trip } = await client.begin();
    const answer = [...new URL(github.visit(address)).searchParams];
    return client.identify(answered(answer), trip);
  };

  it('says who somebody is, by number, and which address is verified', async () => {
    expect(await travel()).to.deep.equal({
      ...{ provider: 'staff', issuer: `${github.url}/login/oauth`, subject: '583231' },
      ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      ...{ picture: 'https://avatars.githubusercontent.com/u/583231?v=4', authenticatedAt: null },
    });
  });

  it('has its name checked when it gives it', async () => {
    github.namesItself = false;
    expect(await travel()).to.include({ subject: '583231' });
    const withIssuer = (answer: CallbackParams) => [
      ...answer,
      ['iss', 'https://github.example/login/oauth'] as const,
    ];
    expect(await rejectionOf(() => travel({}, withIssuer))).to.include(INVALID);
    expect(github.requests.filter(({ path }) => path.endsWith('access_token'))).to.have.length(1);
  });

  it('has no say by the address on a profile, nor by one that is not primary', async () => {
    for (const [emails, email, emailVerified] of [
      [[{ email: 'ada@example.com', primary: true, verified: false }], 'ada@example.com', false],
      [[{ email: 'old@example.com', primary: false, verified: true }], null, false],
      [[], null, false],
    ] as const) {
      github.emails = emails;
      expect(await travel()).to.include({ email, emailVerified });
    }
    github.mayReadEmails = false;
    expect(await travel()).to.include({ email: null, emailVerified: false });
  });

  it('is unavailable while it throttles the list of addresses, for which it may say 403', async () => {
    for (const headers of [{ 'Retry-After': '60' }, { 'X-RateLimit-Remaining': '0' }]) {
      github.fault = (response, work) => {
        if (response.req.url?.includes('/user/emails')) return response.writeHead(403, headers).end('{}');
        const { status, headers: usual, body } = work();
        return response.writeHead(status, usual).end(body);
      };
      expect(await rejectionOf(() => travel())).to.include({ code: 'provider_unavailable' });
    }
  });

  it('is asked for all addresses, of which the primary one may be the last', async () => {
    const otherEmail = (place: number) => ({ email: `${place}@example.com`, primary: false, verified: true });
    const others = Array.from({ length: 99 }, (_, place) => otherEmail(place));
    github.emails = [...others, { email: 'ada@example.com', primary: true, verified: true }];
    expect(await travel()).to.include({ email: 'ada@example.com', emailVerified: true });
  });

  it('has its refusals noticed, which come with status 200', async () => {
    expect(await rejectionOf(() => travel({ clientSecret: 'another' }))).to.include({
      code: 'provider_error',
    });
    const stale = (answer: CallbackParams) =>
      answer.map(([name, value]) => [name, name === 'code' ? 'another' : value] as const);
    expect(await rejectionOf(() => travel({}, stale))).to.include({ code: 'provider_error' });
  });

  it('is not believed about somebody without a number', async () => {
    for (const id of ['583231', 0, -1, 1.5, null, 2 ** 53]) {
      github.user = JSON.parse(JSON.stringify({ ...github.user, id }));
      expect(await rejectionOf(() => travel()), String(id)).to.include(INVALID);
    }
  });

  it('is left alone until somebody goes there', async () => {
    await open().begin();
    expect(github.requests).to.deep.equal([]);
  });
});
