import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import type { Reply } from '../../../support/service.ts';
import { BEHIND, inContestedRounds, insist, inTime, refuseStarved } from '../behind.ts';
import { password, useTwoProcesses } from '../use-two-processes.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './person.ts';

const AT_ONCE = 50;

/** Exactly one got through; the others got one of the refusals, or were told to come again by a store that is behind. */
const expectOne = (replies: readonly Reply[], refusals: readonly string[]): void => {
  refuseStarved(replies);
  const told = replies.filter(({ status }) => !BEHIND.includes(status)).map((one) => outcome(one).join(' '));
  const [won, lost] = [told.filter((one) => one === '200 '), told.filter((one) => one !== '200 ')];
  expect(won, told.join()).to.have.length(1);
  expect(refusals, told.join()).to.include.members(lost);
};

describe('Passkeys in two processes on one store (B2)', () => {
  const { post, request, ...processes } = useTwoProcesses(() => PASSKEYS_ON);
  const passkeys = makePasskeyCalls(() => ({ post, request }));
  const prepare = makePasskeyCalls(() => ({
    post: (...given) => inTime(post(...given)),
    request: (...given) => inTime(request(...given)),
  }));

  let made = 0;
  const signUp = () => {
    made += 1;
    return processes.signUp(`passkeys${made}@example.com`);
  };
  const sendAll = (path: string, body: unknown, who?: { readonly token: string }) =>
    race(AT_ONCE, () => passkeys.post(path, body, who));

  it('take one answer to the challenge of a registration', () =>
    inContestedRounds(async () => {
      const user = await signUp();
      const { body } = prepare.created(await prepare.begin(user));
      expectOne(await sendAll('passkeys', body, user), ['401 invalid_flow', '409 passkey_taken']);
      expect((await insist(() => passkeys.list(user))).body.passkeys).to.have.length(1);
    }));

  it('take one answer to the challenge of a login', () =>
    inContestedRounds(async () => {
      const { credential } = await prepare.add(await signUp());
      const answer = prepare.signed(await prepare.beginLogin(), credential);
      expectOne(await sendAll('login/passkey', answer), ['401 invalid_passkey']);
    }));

  it('take one answer to the challenge of a second step', () =>
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

  it('take one answer to the challenge of a proof', () =>
    inContestedRounds(async () => {
      const user = await signUp();
      const { credential } = await prepare.add(user);
      const begun = await prepare.post('reauthenticate/passkey/begin', {}, user);
      const passkey = prepare.signed(begun, credential);
      expectOne(await sendAll('reauthenticate', { passkey }, user), ['401 invalid_passkey']);
    }));
});
