import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { BUSY_STATUSES, inContestedRounds, insist, refuseStarved } from '../contested-rounds.ts';
import { cookieValueIn } from '../cookies/jar.ts';
import { useTwoProcesses } from '../use-two-processes.ts';
import { makeAppAuthorization, outcome, SETTINGS } from './app-calls.ts';

const AT_ONCE = 50;

describe('App authorization codes in two processes on one store', () => {
  const { post, request, signUp } = useTwoProcesses(() => SETTINGS);
  const { begin, redeem } = makeAppAuthorization(post);
  let token = '';
  let cookie = '';
  before(async () => {
    const { password, email, ...user } = await signUp('ada@example.com');
    token = user.token;
    const headers = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
    cookie = cookieValueIn(await post('/api/auth/login', { email, password }, { headers })) ?? '';
  });

  const countSessions = async () => {
    const { body } = await insist(() => request('GET', '/api/auth/sessions', { token }));
    return Array.from(body.sessions as unknown as Iterable<unknown>).length;
  };

  it('are redeemed at most once by concurrent calls, and a reuse ends the session of the code', () =>
    inContestedRounds(async () => {
      const redemption = await begin(cookie);
      const replies = await race(AT_ONCE, () => redeem(redemption));
      refuseStarved(replies);
      const outcomes = replies.filter(({ status }) => !BUSY_STATUSES.includes(status)).map(outcome);
      expect(outcomes.filter((outcome) => outcome === '200').length, outcomes.join()).to.be.at.most(1);
      expect(new Set(outcomes.filter((outcome) => outcome !== '200')), outcomes.join()).to.deep.equal(
        new Set(['401 invalid_code']),
      );
      await insist(() => redeem(redemption));
      expect(await countSessions()).to.equal(2);
    }));

  it('open one session each if redeemed at the same time, and a reuse of each ends it', () =>
    inContestedRounds(async () => {
      const redemptions = await race(5, () => begin(cookie));
      const replies = await race(5, (place) => insist(() => redeem(redemptions[place] ?? {})));
      expect(replies.map(outcome)).to.deep.equal(Array.from({ length: 5 }, () => '200'));
      expect(await countSessions()).to.equal(7);
      await race(5, (place) => insist(() => redeem(redemptions[place] ?? {})));
      expect(await countSessions()).to.equal(2);
    }));
});
