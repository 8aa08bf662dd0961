import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { BEHIND, inContestedRounds, insist, refuseStarved } from '../behind.ts';
import { valueIn } from '../cookies/jar.ts';
import { useTwoProcesses } from '../use-two-processes.ts';
import { makeHandover, outcome, SETTINGS } from './app.ts';

const AT_ONCE = 50;

describe('Hand-overs in two processes on one store', () => {
  const { post, request, signUp } = useTwoProcesses(() => SETTINGS);
  const { begin, redeem } = makeHandover(post);
  let token = '';
  let cookie = '';
  before(async () => {
    const { password, email, ...user } = await signUp('ada@example.com');
    token = user.token;
    const asks = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
    cookie = valueIn(await post('/api/auth/login', { email, password }, { headers: asks })) ?? '';
  });

  const count = async () => {
    const { body } = await insist(() => request('GET', '/api/auth/sessions', { token }));
    return Array.from(body.sessions as unknown as Iterable<unknown>).length;
  };

  it('let one use of a code in at most, and leave no session of it', () =>
    inContestedRounds(async () => {
      const right = await begin(cookie);
      const replies = await race(AT_ONCE, () => redeem(right));
      refuseStarved(replies);
      const outcomes = replies.filter(({ status }) => !BEHIND.includes(status)).map(outcome);
      expect(outcomes.filter((one) => one === '200').length, outcomes.join()).to.be.at.most(1);
      expect(new Set(outcomes.filter((one) => one !== '200')), outcomes.join()).to.deep.equal(
        new Set(['401 invalid_code']),
      );
      await insist(() => redeem(right));
      expect(await count()).to.equal(2);
    }));

  it('let each of many codes in once', () =>
    inContestedRounds(async () => {
      const given = await race(5, () => begin(cookie));
      const replies = await race(5, (place) => insist(() => redeem(given[place] ?? {})));
      expect(replies.map(outcome)).to.deep.equal(Array.from({ length: 5 }, () => '200'));
      expect(await count()).to.equal(7);
      await race(5, (place) => insist(() => redeem(given[place] ?? {})));
      expect(await count()).to.equal(2);
    }));
});
