import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import {
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/servers/identity-provider.ts';
import type { Reply } from '../../../support/service.ts';
import { BUSY_STATUSES, inContestedRounds, insist, inTime, refuseStarved } from '../contested-rounds.ts';
import { useTwoProcesses } from '../use-two-processes.ts';
import { beginQuery, locationOf, newPkcePair, REDIRECT, STATE } from './flows.ts';

const AT_ONCE = 50;
/** Few in a short run, since each needs an account of its own. */
const LINKERS = process.env.LONG === undefined ? 12 : 50;
const BASE = '/api/auth/providers/staff';
const CLIENT = { id: 'client-1', secret: 'the-secret-of-this-test' };
const PUBLIC_URL = 'http://127.0.0.1:9';
const EMAIL = 'ada@example.com';

const outcome = ({ status, body }: Reply) => (status === 200 ? '200' : `${status} ${String(body?.code)}`);

/** Expects one success; every other call is refused as given, or gets 503 from a busy store. */
const expectOne = (replies: readonly Reply[], success: string, refusal: string, outcomeOf = outcome) => {
  refuseStarved(replies);
  const outcomes = replies.map(outcomeOf);
  const busy = BUSY_STATUSES.map((status) => `${status}`);
  const decided = outcomes.filter((result) => !busy.some((status) => result.startsWith(status)));
  expect(
    decided.filter((result) => result === success),
    outcomes.join(),
  ).to.have.length(1);
  expect([...new Set(decided)].toSorted(), outcomes.join()).to.deep.equal([success, refusal].toSorted());
};
/** The names of the parameters of a redirect, or the status of any other reply. */
const redirectOutcome = (reply: Reply) =>
  reply.status === 303 ? [...locationOf(reply).searchParams.keys()].join() : String(reply.status);

describe('Sign-in with providers in two processes on one store', function () {
  if (process.env.LONG !== undefined) this.timeout(1_800_000);
  let staff: TestIdentityProvider;
  before(async () => {
    staff = await openIdentityProvider({
      redirectUri: `${PUBLIC_URL}${BASE}/callback`,
      client: CLIENT,
      claims: { email: EMAIL, email_verified: true },
    });
  });
  after(() => staff?.close());
  const { request, signUp, ...processes } = useTwoProcesses(() => ({
    ...{ PUBLIC_URL, OIDC_PROVIDERS: 'staff', OIDC_STAFF_ISSUER: staff.issuer, SIGN_IN_REDIRECTS: REDIRECT },
    ...{ OIDC_STAFF_CLIENT_ID: CLIENT.id, OIDC_STAFF_CLIENT_SECRET: CLIENT.secret },
  }));

  const get = (path: string, Cookie = '') =>
    request('GET', path, Cookie === '' ? {} : { headers: { Cookie } });
  const post = (path: string, body: unknown, token?: string) =>
    processes.post(path, body, token === undefined ? {} : { token });
  const exchange = (body: object) => post('/api/auth/providers/exchange', body);
  const confirm = (body: object, token: string) => post('/api/auth/providers/link/confirm', body, token);

  /** Begins a flow and signs in at the provider. Returns the cookie and the callback. */
  const visitProvider = async (subject: string, query: string) => {
    const redirect = await inTime(get(`${BASE}/begin?${query}`));
    const cookie = redirect.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const params = await staff.visit(locationOf(redirect).href, subject);
    const pairs = params.map(([name, value]): [string, string] => [name, value]);
    return { cookie, path: `${BASE}/callback?${new URLSearchParams(pairs)}` };
  };
  const codeOf = async (subject: string, query: string) => {
    const { cookie, path } = await visitProvider(subject, query);
    return locationOf(await inTime(get(path, cookie))).searchParams.get('code') ?? '';
  };
  const newFlowRequest = () => {
    const { verifier, challenge } = newPkcePair();
    return {
      verifier,
      body: { redirectUri: REDIRECT, challenge, state: STATE },
      query: beginQuery({ challenge }),
    };
  };
  const logIn = async (subject = 'owner') => {
    const { verifier, query } = newFlowRequest();
    return inTime(exchange({ code: await codeOf(subject, query), verifier }));
  };
  const tokenOf = ({ body }: Reply) => String(body.token);

  // Not exactly once: a provider may revoke what it issued for a code that it receives twice.
  it('A9: accepts at most one callback for a state', () =>
    inContestedRounds(async () => {
      const { cookie, path } = await visitProvider('owner', newFlowRequest().query);
      const outcomes = (await race(AT_ONCE, () => get(path, cookie))).map(redirectOutcome);
      const successes = outcomes.filter((result) => result === 'code,state');
      expect(successes.length, outcomes.join(' ')).to.be.at.most(1);
      const expectedOutcomes = ['code,state', 'error,state', '400', ...BUSY_STATUSES.map(String)];
      expect(expectedOutcomes, outcomes.join(' ')).to.include.members([...new Set(outcomes)]);
      expect(redirectOutcome(await get(path, cookie)), 'repeated callback').not.to.equal('code,state');
    }));

  it('A9: redeems a code once', () =>
    inContestedRounds(async () => {
      const { verifier, query } = newFlowRequest();
      const code = await codeOf('owner', query);
      const replies = await race(AT_ONCE, () => exchange({ code, verifier }));
      expectOne(replies, '200', '401 invalid_flow');
    }));

  it('A9: accepts a ticket once', () =>
    inContestedRounds(async () => {
      const token = tokenOf(await logIn());
      const { body } = await inTime(post(`${BASE}/link`, newFlowRequest().body, token));
      const path = String(body.url).slice(PUBLIC_URL.length);
      const replies = await race(AT_ONCE, () => get(path));
      expectOne(replies, '303', '401', ({ status }) => `${status}`);
    }));

  it('A9: accepts a link token once', () =>
    inContestedRounds(async (round) => {
      const token = tokenOf(await logIn());
      const { linkToken } = (await logIn(`waiting-${round}`)).body;
      const replies = await race(AT_ONCE, () => confirm({ linkToken }, token));
      expectOne(replies, '200', '401 invalid_flow');
      const path = `${BASE}/accounts/waiting-${round}`;
      const unlinked = await insist(() => request('DELETE', path, { token }));
      expect([200, ...(BUSY_STATUSES.length === 0 ? [] : [404])]).to.include(unlinked.status);
    }));

  it('A12: links an identity to one of several accounts that confirm it at the same time', async () => {
    const tokens = await race(LINKERS, async (place) => (await signUp(`linker${place}@example.com`)).token);
    await inContestedRounds(async (round) => {
      const flows: { token: string; code: string; verifier: string }[] = [];
      for (const token of tokens) {
        const { verifier, body } = newFlowRequest();
        const ticket = await inTime(post(`${BASE}/link`, body, token));
        expect(outcome(ticket)).to.equal('200');
        const { search } = new URL(String(ticket.body.url));
        flows.push({ token, verifier, code: await codeOf(`prize-${round}`, search.slice(1)) });
      }
      const replies = await race(LINKERS, (place) => {
        const { token = '', code, verifier } = flows[place] ?? {};
        return confirm({ code, verifier }, token);
      });
      expectOne(replies, '200', '409 identity_taken');
      // An account can have at most ten identities.
      const token = tokens[replies.findIndex(({ status }) => status === 200)] ?? '';
      await insist(() => request('DELETE', `${BASE}/accounts/prize-${round}`, { token }));
    });
  });
});
