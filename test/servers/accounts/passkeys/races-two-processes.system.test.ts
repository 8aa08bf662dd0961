import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import type { Reply } from '../../../support/service.ts';
import { BUSY_STATUSES, inContestedRounds, insist, inTime, refuseStarved } from '../contested-rounds.ts';
import { password, useTwoProcesses } from '../use-two-processes.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const AT_ONCE = 50;
const isSuccess = (text: string) => text === '200 ';

/** Expects one success; every other call has one of the refusals, or 503 from a busy store. */
const expectOne = (replies: readonly Reply[], refusals: readonly string[]): void => {
  refuseStarved(replies);
  const decided = replies.filter(({ status }) => !BUSY_STATUSES.includes(status));
  const outcomes = decided.map((reply) => outcome(reply).join(' '));
  const [successes, others] = [outcomes.filter(isSuccess), outcomes.filter((text) => !isSuccess(text))];
  expect(successes, outcomes.join()).to.have.length(1);
  expect(refusals, outcomes.join()).to.include.members(others);
};

describe('Passkeys in two processes on one store (B2)', () => {
  const { post, request, ...processes } = useTwoProcesses(() => PASSKEYS_ON);
  const passkeys = makePasskeyCalls(() => ({ post, request }));
  const prepare = makePasskeyCalls(() => ({
    post: (...args) => inTime(post(...args)),
    request: (...args) => inTime(request(...args)),
  }));

  let userCount = 0;
  const signUp = () => {
    userCount += 1;
    return processes.signUp(`passkeys${userCount}@example.com`);
  };
  const sendAll = (path: string, body: unknown, caller?: { readonly token: string }) =>
    race(AT_ONCE, () => passkeys.post(path, body, caller));

  it('accept one answer to the challenge of a registration', () =>
    inContestedRounds(async () => {
      const user = await signUp();
      const { body } = prepare.created(await prepare.begin(user));
      expectOne(await sendAll('passkeys', body, user), ['401 invalid_flow', '409 passkey_taken']);
      expect((await insist(() => passkeys.list(user))).body.passkeys).to.have.length(1);
    }));

  it('accept one answer to the challenge of a login', () =>
    inContestedRounds(async () => {
      const { credential } = await prepare.add(await signUp());
      const answer = prepare.signed(await prepare.beginLogin(), credential);
      expectOne(await sendAll('login/passkey', answer), ['401 invalid_passkey']);
    }));

  it('accept one answer to the challenge of a second step', () =>
    inContestedRounds(async () => {
      const user = await signUp();
      const { email } = user;
      const { credential } = await prepare.add(user);
      const on = await prepare.post('2fa/passkey', { enable: true }, user);
      expect(on.status).to.equal(200);
      const { pendingToken } = (await prepare.post('login', { email, password })).body;
      const begun = await prepare.post('login/second/begin', { email, pendingToken });
      const passkey = prepare.signed(begun, credential);
      const replies = await sendAll('login', { email, pendingToken, passkey });
      expectOne(replies, ['401 invalid_passkey', '401 wrong_credentials']);
    }));

  it('accept one answer to the challenge of a proof', () =>
    inContestedRounds(async () => {
      const user = await signUp();
      const { credential } = await prepare.add(user);
      const begun = await prepare.post('reauthenticate/passkey/begin', {}, user);
      const passkey = prepare.signed(begun, credential);
      expectOne(await sendAll('reauthenticate', { passkey }, user), ['401 invalid_passkey']);
    }));
});
