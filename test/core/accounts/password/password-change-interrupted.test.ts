import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { makeCachedSessions } from '../../../../adapters/session-cache/session-cache.ts';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts, type SessionStore } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';

describe('A password change between its two writes', () => {
  const core = useAccounts();
  /** Changes the password in a process that calls `interrupt` before it writes the session. */
  const changeInterrupted = async (
    token: string,
    interrupt: () => Promise<void>,
    overrides: Partial<SessionStore> = {},
  ) => {
    const { ports } = core();
    const { sessions } = ports;
    const changeSession: SessionStore['change'] = async (session, next) => {
      if (next.epoch !== session.epoch) await interrupt();
      return sessions.change(session, next);
    };
    const process = createAccounts({
      ...ports,
      sessions: { ...sessions, change: changeSession, ...overrides },
    });
    const principal = await process.authenticate(token);
    return tokensIn(
      await process.changePassword(principal, { currentPassword: password, newPassword }, caller),
    );
  };

  it('leaves no earlier token valid if the process crashes, and reports no stolen session', async () => {
    const { accounts, clock, isActive, lines, mailsTo, ports, signUp } = core();
    const user = await signUp();
    const died = new Error('the process died');
    const die = () => Promise.reject(died);
    const error = await changeInterrupted(user.token, die, { end: die, endAll: die }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.equal(died);
    expect(lines.map(({ event }) => event)).to.include('password.changed');

    expect(await isActive(user.token)).to.equal(false);
    const later = createAccounts({ ...ports, clock: { now: () => clock.now() + 60_000 } });
    for (const process of [accounts, accounts, later, later]) {
      await process.background.relay();
      const refreshing = process.refresh({ refreshToken: user.refreshToken }, caller);
      expect(await codeOf(refreshing)).to.equal('invalid_refresh_token');
    }
    const tokens = tokensIn(await later.logIn({ email: user.email, password: newPassword }, caller));
    const { sessions } = await later.listSessions(await later.authenticate(tokens.token));
    expect(sessions).to.have.length(1);
    const texts = (await mailsTo(user.email)).map(({ text }) => text);
    expect(texts.join()).not.to.match(/stolen|used twice/i);
  });

  it('issues its tokens despite a concurrent refresh, request and relay', async () => {
    const { accounts, isActive, ports, signUp } = core();
    const user = await signUp();
    const refusals: unknown[] = [];
    const changed = await changeInterrupted(user.token, async () => {
      const process = createAccounts(ports);
      await process.background.relay();
      refusals.push(await codeOf(process.refresh({ refreshToken: user.refreshToken }, caller)));
      refusals.push(await codeOf(process.authenticate(user.token)));
    });
    // Each attempt of the first write finds another refresh token in the session, and the change still succeeds.
    expect(refusals).to.include.members(['invalid_refresh_token', 'invalid_token']);
    expect(await isActive(changed.token)).to.equal(true);
    const { token } = await accounts.refresh({ refreshToken: changed.refreshToken }, caller);
    expect(await isActive(token)).to.equal(true);
    expect(await isActive(user.token)).to.equal(false);
  });

  it('ends the session before it throws if the store fails', async () => {
    const { ports, signUp } = core();
    const { id, token, principal } = await signUp();
    const { session } = await principal();
    let isEnded = false;
    const end: SessionStore['end'] = async (...args) => {
      await setImmediate();
      isEnded = await ports.sessions.end(...args);
      return isEnded;
    };
    const down = unavailable('store_unavailable', 'The store is down.');
    const changing = changeInterrupted(token, () => Promise.reject(down), { end });
    expect(await rejectionOf(() => changing)).to.equal(down);
    expect(isEnded).to.equal(true);
    const ended = await ports.sessions.find(id, session.id);
    expect(ended === undefined || ended.endedAt !== null).to.equal(true);
  });

  it('issues tokens that a process with a cached session accepts at once', async () => {
    const { ports, signUp } = core();
    const user = await signUp();
    const silent = {
      announce: async () => undefined,
      onAnnounced: () => undefined,
      close: async () => undefined,
    };
    const cached = makeCachedSessions({ ...ports, announcer: silent, clock: { now: () => 0 } });
    const process = createAccounts({ ...ports, sessionCache: cached.sessionCache });
    const changed = await changeInterrupted(user.token, async () => {
      expect(await codeOf(process.authenticate(user.token))).to.equal('invalid_token');
    });
    expect(await codeOf(process.authenticate(changed.token))).to.equal('done');
    expect(await codeOf(process.authenticate(user.token))).to.equal('invalid_token');
  });
});
