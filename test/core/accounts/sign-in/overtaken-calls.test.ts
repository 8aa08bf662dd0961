import { expect } from 'chai';
import {
  type Accounts,
  type AccountsPorts,
  createAccounts,
  type SessionStore,
} from '../../../../core/index.ts';
import { makeApp } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, codeOf, password, tokensIn } from '../open-core.ts';
import { newPassword, usePeople } from '../use-people.ts';

const email = 'ada@example.com';

describe('A call that another one overtakes', () => {
  const people = usePeople();
  const reset = async (by = people().accounts) => {
    await by.requestPasswordReset({ email }, caller);
    const code = await people().codeTo(email);
    await by.confirmPasswordReset({ email, code, newPassword }, caller);
  };
  const change = async (by: Accounts, token: string, currentPassword = password, next = newPassword) =>
    tokensIn(
      await by.changePassword(await by.authenticate(token), { currentPassword, newPassword: next }, caller),
    );

  for (const [what, overtake] of [
    ['a reset', async () => reset()],
    ['a password change in the same session', async (token: string) => change(people().accounts, token)],
  ] as const) {
    it(`switches no second factor on for a session from before ${what}`, async () => {
      const { accounts, logIn, signUp } = people();
      const { token, who } = await signUp(email);
      const thief = await who();
      const setup = await accounts.configureTwoFactor(thief, { enable: true }, caller);
      const { secret, code } = makeApp(people(), 'secret' in setup ? setup.secret : '');
      await overtake(token);

      const input = { enable: true, secret, verificationCode: code() };
      expect(await codeOf(accounts.configureTwoFactor(thief, input, caller))).to.equal('invalid_token');
      expect(await logIn(email, { password: newPassword })).to.have.property('token');
    });
  }

  /** The same accounts in a process whose clock is so far off; a moment passes with each look, or none. */
  const processAt = (milliseconds: number, overrides: Partial<AccountsPorts> = {}) => {
    const { clock, ports } = people();
    return createAccounts({ ...ports, clock: { now: () => clock.now() + milliseconds }, ...overrides });
  };

  it('ends the pair of the password change before, whatever the clocks of the two processes say', async () => {
    const { accounts, isGood, signUp } = people();
    const { token } = await signUp(email);
    const first = await change(processAt(5_000), token);
    expect(await isGood(first.token)).to.equal(true);
    const second = await change(accounts, first.token, newPassword, password);

    expect(await isGood(first.token)).to.equal(false);
    expect(await isGood(second.token)).to.equal(true);
  });

  it('ends, by a password change, access tokens of a process whose clock is ahead', async () => {
    const { accounts, isGood, signUp } = people();
    const login = await signUp(email);
    const early = await processAt(5_000).refresh({ refreshToken: login.refreshToken }, caller);
    const late = await accounts.refresh({ refreshToken: early.refreshToken }, caller);
    const changed = await change(accounts, late.token);

    expect(await Promise.all([login.token, early.token, late.token].map(isGood))).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(await isGood(changed.token)).to.equal(true);
  });

  describe('while the store cannot end sessions', () => {
    const down = () => Promise.reject(new Error('The store is down.'));
    const broken = (overrides: Partial<SessionStore> = {}) =>
      processAt(0, { sessions: { ...people().ports.sessions, endAll: down, ...overrides } });
    const logged = () => people().lines.map(({ event }) => event);

    it('resets the password, and says so in the log', async () => {
      const { isGood, ports, settle, signUp } = people();
      const { id, token } = await signUp(email);
      await reset(broken());
      expect(logged()).to.include('password.reset');
      expect(await isGood(token)).to.equal(false);
      await settle();
      expect(await ports.sessions.list(id)).to.deep.equal([]);
    });

    it('gives the recovery codes of a second factor that is on, which come this once', async () => {
      const { accounts, signUp } = people();
      const who = await (await signUp(email)).who();
      const setup = await accounts.configureTwoFactor(who, { enable: true }, caller);
      const { secret, code } = makeApp(people(), 'secret' in setup ? setup.secret : '');
      const input = { enable: true, secret, verificationCode: code() };

      const answer = await broken({ change: down }).configureTwoFactor(who, input, caller);
      expect(answer).to.have.property('recoveryCodes');
      expect(logged()).to.include('two_factor.on');
    });

    it('gives the pair of a password change', async () => {
      const { isGood, signUp } = people();
      const { token } = await signUp(email);
      expect(await isGood((await change(broken(), token)).token)).to.equal(true);
    });
  });
});
