import { expect } from 'chai';
import type { GitHubSettings } from '../../../adapters/oidc/provider-settings.ts';
import type { CallbackParams } from '../../../core/accounts/providers/identity-provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openStrictGitHub, type StrictGitHub } from '../../support/servers/strict-github.ts';
import { COMMON, openIdp, REDIRECT_URI } from './provider-flows.ts';

const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };

describe('The GitHub provider', () => {
  let github: StrictGitHub;
  beforeEach(async () => {
    github = await openStrictGitHub(REDIRECT_URI);
  });
  afterEach(() => github.close());

  const open = (change: Partial<GitHubSettings> = {}) =>
    openIdp({
      ...COMMON,
      preset: 'github',
      scopes: 'read:user user:email',
      clientId: github.client.id,
      clientSecret: github.client.secret,
      ...{ auth: 'post', url: github.url, apiUrl: `${github.url}/api/v3` },
      ...change,
    });
  const signIn = async (
    change: Partial<GitHubSettings> = {},
    changeAnswer: (answer: CallbackParams) => CallbackParams = (answer) => answer,
  ) => {
    const client = open(change);
    const { address, flow } = await client.begin();
    const answer = [...new URL(github.visit(address)).searchParams];
    return client.identify(changeAnswer(answer), flow);
  };

  it('returns the numeric id, the verified email and the profile of a user', async () => {
    expect(await signIn()).to.deep.equal({
      ...{ provider: 'staff', issuer: `${github.url}/login/oauth`, subject: '583231' },
      ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      ...{ picture: 'https://avatars.githubusercontent.com/u/583231?v=4', authenticatedAt: null },
    });
  });

  it('may omit iss from the callback, and is refused with the iss of another provider', async () => {
    github.namesItself = false;
    expect(await signIn()).to.include({ subject: '583231' });
    const withIssuer = (answer: CallbackParams) => [
      ...answer,
      ['iss', 'https://github.example/login/oauth'] as const,
    ];
    expect(await rejectionOf(() => signIn({}, withIssuer))).to.include(INVALID);
    expect(github.requests.filter(({ path }) => path.endsWith('access_token'))).to.have.length(1);
  });

  it('returns only the primary email, and whether GitHub has verified it', async () => {
    for (const [emails, email, emailVerified] of [
      [[{ email: 'ada@example.com', primary: true, verified: false }], 'ada@example.com', false],
      [[{ email: 'old@example.com', primary: false, verified: true }], null, false],
      [[], null, false],
    ] as const) {
      github.emails = emails;
      expect(await signIn()).to.include({ email, emailVerified });
    }
    github.mayReadEmails = false;
    expect(await signIn()).to.include({ email: null, emailVerified: false });
  });

  it('is unavailable while GitHub throttles the list of emails with 403', async () => {
    for (const headers of [{ 'Retry-After': '60' }, { 'X-RateLimit-Remaining': '0' }]) {
      github.fault = (response, work) => {
        if (response.req.url?.includes('/user/emails')) return response.writeHead(403, headers).end('{}');
        const { status, headers: usual, body } = work();
        return response.writeHead(status, usual).end(body);
      };
      expect(await rejectionOf(() => signIn())).to.include({ code: 'provider_unavailable' });
    }
  });

  it('finds the primary email at the end of a long list', async () => {
    const otherEmail = (place: number) => ({ email: `${place}@example.com`, primary: false, verified: true });
    const others = Array.from({ length: 99 }, (_, place) => otherEmail(place));
    github.emails = [...others, { email: 'ada@example.com', primary: true, verified: true }];
    expect(await signIn()).to.include({ email: 'ada@example.com', emailVerified: true });
  });

  it('rejects with provider_error for a refusal with status 200', async () => {
    expect(await rejectionOf(() => signIn({ clientSecret: 'another' }))).to.include({
      code: 'provider_error',
    });
    const stale = (answer: CallbackParams) =>
      answer.map(([name, value]) => [name, name === 'code' ? 'another' : value] as const);
    expect(await rejectionOf(() => signIn({}, stale))).to.include({ code: 'provider_error' });
  });

  it('refuses a user without a valid numeric id', async () => {
    for (const id of ['583231', 0, -1, 1.5, null, 2 ** 53]) {
      github.user = JSON.parse(JSON.stringify({ ...github.user, id }));
      expect(await rejectionOf(() => signIn()), String(id)).to.include(INVALID);
    }
  });

  it('sends no request to GitHub when a flow begins', async () => {
    await open().begin();
    expect(github.requests).to.deep.equal([]);
  });
});
