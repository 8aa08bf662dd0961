import { expect } from 'chai';
import { makeCachedSessions } from '../../../../adapters/session-cache/session-cache.ts';
import { type Accounts, createAccounts, type SessionStore } from '../../../../core/index.ts';
import { caller, codeOf, openPorts } from '../open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';
const newPassword = 'another horse battery';

describe('Between the two writes of a password change', () => {
  let core: ReturnType<typeof openPorts>;
  let accounts: Accounts;
  beforeEach(() => {
    core = openPorts();
    accounts = createAccounts(core.ports);
  });

  const signUp = async () => {
    await accounts.register({ email, password }, caller);
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    const code = /\b\d{6}\b/.exec(core.mails.at(-1)?.text ?? '')?.[0] ?? '';
    return accounts.verifyEmail({ email, code }, caller);
  };
  /** Changes the password in a process that does this when it comes to write the session. */
  const changeMeeting = async (
    token: string,
    meet: () => Promise<void>,
    overrides: Partial<SessionStore> = {},
  ) => {
    const { sessions } = core.ports;
    const changeSession: SessionStore['change'] = async (session, next) => {
      if (next.epoch !== session.epoch) await meet();
      return sessions.change(session, next);
    };
    const process = createAccounts({
      ...core.ports,
      sessions: { ...sessions, change: changeSession, ...overrides },
    });
    const who = await process.authenticate(token);
    return process.changePassword(who, { currentPassword: password, newPassword }, caller);
  };
  const isGood = async (token: string) => (await accounts.introspect({ token })).active;

  it('a crash leaves no earlier token valid, and takes nobody for a thief', async () => {
    const login = await signUp();
    const died = new Error('the process died');
    const die = () => Promise.reject(died);
    const error = await changeMeeting(login.token, die, { end: die, endAll: die }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.equal(died);

    expect(await isGood(login.token)).to.equal(false);
    const { clock } = core.ports;
    const later = createAccounts({ ...core.ports, clock: { now: () => clock.now() + 60_000 } });
    for (const process of [accounts, accounts, later, later]) {
      await process.background.relay();
      const refreshing = process.refresh({ refreshToken: login.refreshToken }, caller);
      expect(await codeOf(refreshing)).to.equal('invalid_refresh_token');
    }
    const again = await later.logIn({ email, password: newPassword }, caller);
    if (!('token' in again)) throw new Error('There is no second factor.');
    const { sessions } = await later.listSessions(await later.authenticate(again.token));
    expect(sessions).to.have.length(1);
    await later.background.relay();
    await later.background.deliverMail(9);
    expect(core.mails.map(({ text }) => text).join()).not.to.match(/stolen|used twice/i);
  });

  it('a refresh, a request and the relay leave the session as it is, and the change gives it its pair', async () => {
    const login = await signUp();
    const refusals: unknown[] = [];
    const changed = await changeMeeting(login.token, async () => {
      const process = createAccounts(core.ports);
      await process.background.relay();
      refusals.push(await codeOf(process.refresh({ refreshToken: login.refreshToken }, caller)));
      refusals.push(await codeOf(process.authenticate(login.token)));
    });
    // The first writes found another refresh token there each time; the pair comes all the same.
    expect(refusals).to.include.members(['invalid_refresh_token', 'invalid_token']);
    expect(await isGood(changed.token)).to.equal(true);
    const { token } = await accounts.refresh({ refreshToken: changed.refreshToken }, caller);
    expect(await isGood(token)).to.equal(true);
    expect(await isGood(login.token)).to.equal(false);
  });

  it('a process that keeps what it read there for a second knows the new pair at once', async () => {
    const login = await signUp();
    const silent = {
      announce: async () => undefined,
      onAnnounced: () => undefined,
      close: async () => undefined,
    };
    const cached = makeCachedSessions({ ...core.ports, announcer: silent, clock: { now: () => 0 } });
    const process = createAccounts({ ...core.ports, presences: cached.presences });
    const changed = await changeMeeting(login.token, async () => {
      expect(await codeOf(process.authenticate(login.token))).to.equal('invalid_token');
    });
    expect(await codeOf(process.authenticate(changed.token))).to.equal('done');
    expect(await codeOf(process.authenticate(login.token))).to.equal('invalid_token');
  });
});
