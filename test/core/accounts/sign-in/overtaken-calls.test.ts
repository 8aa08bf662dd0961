import { expect } from 'chai';
import {
  type Accounts,
  type AccountsPorts,
  createAccounts,
  type SessionStore,
} from '../../../../core/index.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { caller, codeOf, openPorts } from '../open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';
const newPassword = 'another horse battery';

describe('A call that another one overtakes', () => {
  let core: ReturnType<typeof openPorts>;
  let accounts: Accounts;
  beforeEach(() => {
    core = openPorts();
    accounts = createAccounts(core.ports);
  });

  const deliver = async (): Promise<string> => {
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    return core.mails.at(-1)?.text ?? '';
  };
  const signUp = async () => {
    await accounts.register({ email, password }, caller);
    const code = /\b\d{6}\b/.exec(await deliver())?.[0] ?? '';
    return accounts.verifyEmail({ email, code }, caller);
  };
  const reset = async () => {
    await accounts.requestPasswordReset({ email }, caller);
    const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(await deliver())?.[0] ?? '';
    await accounts.confirmPasswordReset({ email, code, newPassword }, caller);
  };
  const change = async (by: Accounts, token: string, currentPassword: string, next: string) =>
    by.changePassword(await by.authenticate(token), { currentPassword, newPassword: next }, caller);
  const isGood = async (token: string) => (await accounts.introspect({ token })).active;

  const changeIn = (token: string) => change(accounts, token, password, newPassword);
  for (const [what, overtake] of [
    ['a reset', reset],
    ['a password change in the same session', changeIn],
  ] as const) {
    it(`switches no second factor on for a session from before ${what}`, async () => {
      const { token } = await signUp();
      const thief = await accounts.authenticate(token);
      const setup = await accounts.configureTwoFactor(thief, { enable: true }, caller);
      const secret = 'secret' in setup ? setup.secret : '';
      await overtake(token);

      const verificationCode = codeAt(secret, core.ports.clock.now());
      const confirm = accounts.configureTwoFactor(thief, { enable: true, secret, verificationCode }, caller);
      expect(await codeOf(confirm)).to.equal('invalid_token');
      expect(await accounts.logIn({ email, password: newPassword }, caller)).to.have.property('token');
    });
  }

  /** The same accounts in a process whose clock is so far off; a moment passes with each look, or none. */
  const processAt = (milliseconds: number, overrides: Partial<AccountsPorts> = {}) =>
    createAccounts({
      ...core.ports,
      clock: { now: () => core.ports.clock.now() + milliseconds },
      ...overrides,
    });

  it('ends the pair of the password change before, whatever the clocks of the two processes say', async () => {
    const { token } = await signUp();
    const first = await change(processAt(5_000), token, password, newPassword);
    expect(await isGood(first.token)).to.equal(true);
    const second = await change(accounts, first.token, newPassword, password);

    expect(await isGood(first.token)).to.equal(false);
    expect(await isGood(second.token)).to.equal(true);
  });

  it('ends, by a password change, access tokens of a process whose clock is ahead', async () => {
    const login = await signUp();
    const early = await processAt(5_000).refresh({ refreshToken: login.refreshToken }, caller);
    const late = await accounts.refresh({ refreshToken: early.refreshToken }, caller);
    const changed = await change(accounts, late.token, password, newPassword);

    expect(await Promise.all([login.token, early.token, late.token].map(isGood))).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(await isGood(changed.token)).to.equal(true);
  });

  it('leaves nothing to a thief who refreshes the session while a password change renews it', async () => {
    const login = await signUp();
    const { sessions } = core.ports;
    const stolen = { refreshToken: login.refreshToken };
    const raced = processAt(0, {
      sessions: {
        ...sessions,
        change: async (session, next) => {
          expect(await codeOf(accounts.refresh(stolen, caller))).to.equal('invalid_refresh_token');
          return sessions.change(session, next);
        },
      },
    });

    const changed = await change(raced, login.token, password, newPassword);
    expect(await codeOf(accounts.refresh(stolen, caller))).to.equal('invalid_refresh_token');
    expect(await isGood(changed.token)).to.equal(true);
    expect(await accounts.refresh(changed, caller)).to.have.property('token');
  });

  it('leaves no session to a thief when the store fails before a password change has renewed it', async () => {
    const login = await signUp();
    const { sessions } = core.ports;
    const failing = processAt(0, {
      sessions: { ...sessions, change: () => Promise.reject(new Error('The store is down.')) },
    });

    await codeOf(change(failing, login.token, password, newPassword));
    expect(core.lines.map(({ event }) => event)).to.include('password.changed');
    expect(await isGood(login.token)).to.equal(false);
    const refresh = accounts.refresh({ refreshToken: login.refreshToken }, caller);
    expect(await codeOf(refresh)).to.equal('invalid_refresh_token');
  });

  describe('while the store cannot end sessions', () => {
    const down = () => Promise.reject(new Error('The store is down.'));
    const broken = (overrides: Partial<SessionStore> = {}) =>
      processAt(0, { sessions: { ...core.ports.sessions, endAll: down, ...overrides } });
    const logged = () => core.lines.map(({ event }) => event);

    it('resets the password, and says so in the log', async () => {
      const { token } = await signUp();
      const healthy = accounts;
      accounts = broken();
      await reset();

      expect(logged()).to.include('password.reset');
      expect(await isGood(token)).to.equal(false);
      await healthy.background.relay();
      expect(await core.ports.sessions.list(token.split(' ')[0] ?? '')).to.deep.equal([]);
    });

    it('gives the recovery codes of a second factor that is on, which come this once', async () => {
      const { token } = await signUp();
      const who = await accounts.authenticate(token);
      const setup = await accounts.configureTwoFactor(who, { enable: true }, caller);
      const secret = 'secret' in setup ? setup.secret : '';
      const verificationCode = codeAt(secret, core.ports.clock.now());
      const input = { enable: true, secret, verificationCode };

      const answer = await broken({ change: down }).configureTwoFactor(who, input, caller);
      expect(answer).to.have.property('recoveryCodes');
      expect(logged()).to.include('two_factor.on');
    });

    it('gives the pair of a password change', async () => {
      const { token } = await signUp();
      expect(await isGood((await change(broken(), token, password, newPassword)).token)).to.equal(true);
    });
  });
});
