import { expect } from 'chai';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { callerAt, newPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WRONG = 'a wrong password';
const HELD = 'login_held';
const REFUSED = 'wrong_credentials';
const STRANGER = callerAt('198.51.100.7');
const UNKNOWN = 'nobody@example.com';

describe('A hundred wrong passwords in a day', () => {
  const core = useAccounts();
  const logIn = (email: string, by = STRANGER, enteredPassword = password) =>
    codeOf(core().logIn(email, { password: enteredPassword }, by));
  const guess = async (email: string, times = 100, by = STRANGER) => {
    for (let time = 0; time < times; time += 1) expect(await logIn(email, by, WRONG)).to.equal(REFUSED);
  };
  const lockoutOf = async (email: string) => {
    const refusal = await rejectionOf(() => core().logIn(email, {}, STRANGER));
    expect(refusal).to.include({ kind: 'throttled', code: HELD });
    return (refusal as unknown as { facts: { retryAfter: number } }).facts.retryAfter;
  };

  it('lock a known or unknown email for new addresses until 24 h after the first', async () => {
    const { clock, isActive, signUp } = core();
    const owner = await signUp();
    const other = await signUp('grace@example.com');
    for (const email of [owner.email, UNKNOWN]) await guess(email, 10);
    clock.advance(HOUR);
    for (const email of [owner.email, UNKNOWN]) await guess(email, 80);
    // A right password does not reset the count.
    expect(await logIn(owner.email, callerAt('198.51.100.8'))).to.equal('done');
    for (const email of [owner.email, UNKNOWN]) await guess(email, 10);

    expect([await lockoutOf(owner.email), await lockoutOf(UNKNOWN)]).to.deep.equal([23 * 3_600, 23 * 3_600]);
    expect(await logIn(owner.email, callerAt('203.0.113.9'))).to.equal(HELD);
    // Sign-ins from a known address, live sessions and other users are not locked out.
    for (const by of [caller, callerAt('198.51.100.8')])
      expect(await logIn(owner.email, by)).to.equal('done');
    expect([await isActive(owner.token), await logIn(other.email)]).to.deep.equal([true, 'done']);

    clock.advance(23 * HOUR - 60_000);
    for (let time = 0; time < 2; time += 1) expect(await lockoutOf(owner.email)).to.be.at.most(60);
    clock.advance(60_000);
    expect([await logIn(owner.email), await logIn(UNKNOWN)]).to.deep.equal(['done', REFUSED]);
  });

  it('lock the email until the password is reset', async () => {
    const { accounts, codeTo, signUp } = core();
    const { email } = await signUp();
    await guess(email);
    await lockoutOf(email);
    await accounts.requestPasswordReset({ email }, STRANGER);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, STRANGER);
    expect(await logIn(email)).to.equal(REFUSED);
    expect(await logIn(email, STRANGER, newPassword)).to.equal('done');
  });

  it('are counted exactly if many are sent concurrently', async () => {
    await guess(UNKNOWN, 90);
    const outcomes = await race(15, () => logIn(UNKNOWN));
    expect(outcomes.toSorted()).to.deep.equal([...Array(5).fill(HELD), ...Array(10).fill(REFUSED)]);
  });

  it('count together over sign-ins, proofs, password changes and deletions', async () => {
    const { accounts, isActive, signUp } = core();
    const { email, token, principal } = await signUp();
    const currentPrincipal = await principal();
    const calls = [
      (enteredPassword: string) =>
        codeOf(accounts.reauthenticate(currentPrincipal, { password: enteredPassword }, caller)),
      (enteredPassword: string) =>
        codeOf(
          accounts.changePassword(
            currentPrincipal,
            { currentPassword: enteredPassword, newPassword },
            caller,
          ),
        ),
      (enteredPassword: string) =>
        codeOf(accounts.deleteAccount(currentPrincipal, { password: enteredPassword }, caller)),
      (enteredPassword: string) => logIn(email, caller, enteredPassword),
    ];
    for (let time = 0; time < 25; time += 1)
      for (const call of calls) expect(await call(WRONG)).to.equal(REFUSED);
    for (const call of calls) expect(await call(password)).to.equal(HELD);
    expect(await isActive(token)).to.equal(true);
  });

  it('from a known address lock that address alone', async () => {
    const { email } = await core().signUp();
    await guess(email, 100, caller);
    expect(await logIn(email, caller)).to.equal(HELD);
    expect(await logIn(email, callerAt('192.0.2.4'))).to.equal('done');
  });

  it('do not lock an address from which the owner has signed in', async () => {
    const { email } = await core().signUp();
    const [guessingCaller, ownCaller] = [callerAt('192.0.2.6'), callerAt('192.0.2.7')];
    await guess(email, 10, guessingCaller);
    expect(await logIn(email, ownCaller)).to.equal('done');
    await guess(email, 90);
    expect([await logIn(email, ownCaller), await logIn(email, guessingCaller)]).to.deep.equal(['done', HELD]);
  });

  it('lock a known address that the owner did not use for 30 days', async () => {
    const { clock, signUp } = core();
    const { email } = await signUp();
    clock.advance(29 * DAY);
    expect(await logIn(email, caller)).to.equal('done');
    clock.advance(29 * DAY);
    await guess(email);
    expect(await logIn(email, caller)).to.equal('done');
    clock.advance(31 * DAY);
    await guess(email);
    expect(await logIn(email, caller)).to.equal(HELD);
  });
});
