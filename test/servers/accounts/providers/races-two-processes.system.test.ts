import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import {
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/servers/identity-provider.ts';
import type { Reply } from '../../../support/service.ts';
import { BEHIND, inContestedRounds, insist, inTime, refuseStarved } from '../behind.ts';
import { useTwoProcesses } from '../use-two-processes.ts';
import { beginQuery, locationOf, newHalf, REDIRECT, STATE } from './flows.ts';

const AT_ONCE = 50;
/** Each of them has an account of its own, which takes a while to make. */
const LINKERS = process.env.LONG === undefined ? 12 : 50;
const BASE = '/api/auth/providers/staff';
const CLIENT = { id: 'client-1', secret: 'the-secret-of-this-test' };
const PUBLIC_URL = 'http://127.0.0.1:9';
const EMAIL = 'ada@example.com';

const outcome = ({ status, body }: Reply) => (status === 200 ? '200' : `${status} ${String(body?.code)}`);

/** Exactly one got through, and the others were refused so, or were told to come again by a store that is behind. */
const expectOne = (replies: readonly Reply[], won: string, lost: string, outcomeOf = outcome) => {
  refuseStarved(replies);
  const outcomes = replies.map(outcomeOf);
  const behind = BEHIND.map((status) => `${status}`);
  const told = outcomes.filter((one) => !behind.some((status) => one.startsWith(status)));
  expect(
    told.filter((one) => one === won),
    outcomes.join(),
  ).to.have.length(1);
  expect([...new Set(told)].toSorted(), outcomes.join()).to.deep.equal([won, lost].toSorted());
};
/** Of a navigation: the names of what the browser goes on with, or the status. */
const went = (reply: Reply) =>
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

  /** As far as the provider's answer, as the browser is to bring it. */
  const travel = async (subject: string, query: string) => {
    const begun = await inTime(get(`${BASE}/begin?${query}`));
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const answer = await staff.visit(locationOf(begun).href, subject);
    const pairs = answer.map(([name, value]): [string, string] => [name, value]);
    return { cookie, path: `${BASE}/callback?${new URLSearchParams(pairs)}` };
  };
  const codeOf = async (subject: string, query: string) => {
    const { cookie, path } = await travel(subject, query);
    return locationOf(await inTime(get(path, cookie))).searchParams.get('code') ?? '';
  };
  const half = () => {
    const { verifier, challenge } = newHalf();
    return {
      verifier,
      body: { redirectUri: REDIRECT, challenge, state: STATE },
      query: beginQuery({ challenge }),
    };
  };
  const logIn = async (subject = 'owner') => {
    const { verifier, query } = half();
    return inTime(exchange({ code: await codeOf(subject, query), verifier }));
  };
  const tokenOf = ({ body }: Reply) => String(body.token);

  it('A9: takes one answer to a state at most: a provider may take back what it gave for a code that came twice', () =>
    inContestedRounds(async () => {
      const { cookie, path } = await travel('owner', half().query);
      const answers = (await race(AT_ONCE, () => get(path, cookie))).map(went);
      expect(answers.filter((one) => one === 'code,state').length, answers.join(' ')).to.be.at.most(1);
      const known = ['code,state', 'error,state', '400', ...BEHIND.map(String)];
      expect(known, answers.join(' ')).to.include.members([...new Set(answers)]);
      expect(went(await get(path, cookie)), 'once more').not.to.equal('code,state');
    }));

  it('A9: takes one use of a code', () =>
    inContestedRounds(async () => {
      const { verifier, query } = half();
      const code = await codeOf('owner', query);
      const replies = await race(AT_ONCE, () => exchange({ code, verifier }));
      expectOne(replies, '200', '401 invalid_flow');
    }));

  it('A9: takes one use of a ticket', () =>
    inContestedRounds(async () => {
      const token = tokenOf(await logIn());
      const { body } = await inTime(post(`${BASE}/link`, half().body, token));
      const path = String(body.url).slice(PUBLIC_URL.length);
      const replies = await race(AT_ONCE, () => get(path));
      expectOne(replies, '303', '401', ({ status }) => `${status}`);
    }));

  it('A9: takes one use of a token for a link', () =>
    inContestedRounds(async (round) => {
      const token = tokenOf(await logIn());
      const { linkToken } = (await logIn(`waiting-${round}`)).body;
      const replies = await race(AT_ONCE, () => confirm({ linkToken }, token));
      expectOne(replies, '200', '401 invalid_flow');
      const path = `${BASE}/accounts/waiting-${round}`;
      const gone = await insist(() => request('DELETE', path, { token }));
      expect([200, ...(BEHIND.length === 0 ? [] : [404])]).to.include(gone.status);
    }));

  it('A12: links one identity to one of many accounts', async () => {
    const tokens = await race(LINKERS, async (place) => (await signUp(`linker${place}@example.com`)).token);
    await inContestedRounds(async (round) => {
      const trips: { token: string; code: string; verifier: string }[] = [];
      for (const token of tokens) {
        const { verifier, body } = half();
        const asked = await inTime(post(`${BASE}/link`, body, token));
        expect(outcome(asked)).to.equal('200');
        const { search } = new URL(String(asked.body.url));
        trips.push({ token, verifier, code: await codeOf(`prize-${round}`, search.slice(1)) });
      }
      const replies = await race(LINKERS, (place) => {
        const { token = '', code, verifier } = trips[place] ?? {};
        return confirm({ code, verifier }, token);
      });
      expectOne(replies, '200', '409 identity_taken');
      // An account takes ten identities at the most.
      const token = tokens[replies.findIndex(({ status }) => status === 200)] ?? '';
      await insist(() => request('DELETE', `${BASE}/accounts/prize-${round}`, { token }));
    });
  });
});
