import { expect } from 'chai';
import {
  type Accounts,
  type AccountsPorts,
  createAccounts,
  type SessionStore,
} from '../../../../core/index.ts';
import { makeApp } from '../../../servers/accounts/second-factor/factor.ts';
import { newPassword, useAccounts } from '../open-accounts.ts';
import { caller, codeOf, password, tokensIn } from '../open-core.ts';

const email = 'ada@example.com';

describe('A change of password or second factor', () => {
  const core = useAccounts();
  const reset = async (process = core().accounts) => {
    await process.requestPasswordReset({ email }, caller);
    const code = await core().codeTo(email);
    await process.confirmPasswordReset({ email, code, newPassword }, caller);
  };
  const change = async (process: Accounts, token: string, currentPassword = password, next = newPassword) => {
    const input = { currentPassword, newPassword: next };
    return tokensIn(await process.changePassword(await process.authenticate(token), input, caller));
  };

  for (const [event, overtake] of [
    ['a reset', async () => reset()],
    ['a password change in the same session', async (token: string) => change(core().accounts, token)],
  ] as const) {
    it(`does not turn on a second factor for a principal from before ${event}`, async () => {
      const { accounts, logIn, signUp } = core();
      const { token, principal } = await signUp(email);
      const earlyPrincipal = await principal();
      const setup = await accounts.configureTwoFactor(earlyPrincipal, { enable: true }, caller);
      const { secret, code } = makeApp(core(), 'secret' in setup ? setup.secret : '');
      await overtake(token);

      const input = { enable: true, secret, verificationCode: code() };
      expect(await codeOf(accounts.configureTwoFactor(earlyPrincipal, input, caller))).to.equal(
        'invalid_token',
      );
      expect(await logIn(email, { password: newPassword })).to.have.property('token');
    });
  }

  /** The accounts in another process, whose clock is ahead by this much. */
  const processAhead = (aheadMs: number, overrides: Partial<AccountsPorts> = {}) => {
    const { clock, ports } = core();
    return createAccounts({ ...ports, clock: { now: () => clock.now() + aheadMs }, ...overrides });
  };

  it('ends the tokens of an earlier password change by a process whose clock is ahead', async () => {
    const { accounts, isActive, signUp } = core();
    const { token } = await signUp(email);
    const first = await change(processAhead(5_000), token);
    expect(await isActive(first.token)).to.equal(true);
    const second = await change(accounts, first.token, newPassword, password);

    expect(await isActive(first.token)).to.equal(false);
    expect(await isActive(second.token)).to.equal(true);
  });

  it('ends access tokens from a process whose clock is ahead', async () => {
    const { accounts, isActive, signUp } = core();
    const user = await signUp(email);
    const early = await processAhead(5_000).refresh({ refreshToken: user.refreshToken }, caller);
    const late = await accounts.refresh({ refreshToken: early.refreshToken }, caller);
    const changed = await change(accounts, late.token);

    expect(await Promise.all([user.token, early.token, late.token].map(isActive))).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(await isActive(changed.token)).to.equal(true);
  });

  describe('while the store cannot end sessions', () => {
    const down = () => Promise.reject(new Error('The store is down.'));
    const broken = (overrides: Partial<SessionStore> = {}) =>
      processAhead(0, { sessions: { ...core().ports.sessions, endAll: down, ...overrides } });
    const loggedEvents = () => core().lines.map(({ event }) => event);

    it('resets the password and logs it', async () => {
      const { isActive, ports, settle, signUp } = core();
      const { id, token } = await signUp(email);
      await reset(broken());
      expect(loggedEvents()).to.include('password.reset');
      expect(await isActive(token)).to.equal(false);
      await settle();
      expect(await ports.sessions.list(id)).to.deep.equal([]);
    });

    it('returns the recovery codes of a new second factor, which are shown only once', async () => {
      const { accounts, signUp } = core();
      const principal = await (await signUp(email)).principal();
      const setup = await accounts.configureTwoFactor(principal, { enable: true }, caller);
      const { secret, code } = makeApp(core(), 'secret' in setup ? setup.secret : '');
      const input = { enable: true, secret, verificationCode: code() };

      const answer = await broken({ change: down }).configureTwoFactor(principal, input, caller);
      expect(answer).to.have.property('recoveryCodes');
      expect(loggedEvents()).to.include('two_factor.on');
    });

    it('returns the new tokens of a password change', async () => {
      const { isActive, signUp } = core();
      const { token } = await signUp(email);
      expect(await isActive((await change(broken(), token)).token)).to.equal(true);
    });
  });
});
