import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { makeCachedSessions } from '../../../../adapters/session-cache/session-cache.ts';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts, type SessionStore } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller, codeOf, password } from '../open-core.ts';
import { newPassword, tokensIn, usePeople } from '../use-people.ts';

describe('Between the two writes of a password change', () => {
  const people = usePeople();
  /** Changes the password in a process that does this when it comes to write the session. */
  const changeMeeting = async (
    token: string,
    meet: () => Promise<void>,
    overrides: Partial<SessionStore> = {},
  ) => {
    const { ports } = people();
    const { sessions } = ports;
    const changeSession: SessionStore['change'] = async (session, next) => {
      if (next.epoch !== session.epoch) await meet();
      return sessions.change(session, next);
    };
    const process = createAccounts({
      ...ports,
      sessions: { ...sessions, change: changeSession, ...overrides },
    });
    const who = await process.authenticate(token);
    return tokensIn(await process.changePassword(who, { currentPassword: password, newPassword }, caller));
  };

  it('a crash leaves no earlier token valid, and takes nobody for a thief', async () => {
    const { accounts, clock, isGood, lines, mailsTo, ports, signUp } = people();
    const login = await signUp();
    const died = new Error('the process died');
    const die = () => Promise.reject(died);
    const error = await changeMeeting(login.token, die, { end: die, endAll: die }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.equal(died);
    expect(lines.map(({ event }) => event)).to.include('password.changed');

    expect(await isGood(login.token)).to.equal(false);
    const later = createAccounts({ ...ports, clock: { now: () => clock.now() + 60_000 } });
    for (const process of [accounts, accounts, later, later]) {
      await process.background.relay();
      const refreshing = process.refresh({ refreshToken: login.refreshToken }, caller);
      expect(await codeOf(refreshing)).to.equal('invalid_refresh_token');
    }
    const again = tokensIn(await later.logIn({ email: login.email, password: newPassword }, caller));
    const { sessions } = await later.listSessions(await later.authenticate(again.token));
    expect(sessions).to.have.length(1);
    const texts = (await mailsTo(login.email)).map(({ text }) => text);
    expect(texts.join()).not.to.match(/stolen|used twice/i);
  });

  it('a refresh, a request and the relay leave the session as it is, and the change gives it its pair', async () => {
    const { accounts, isGood, ports, signUp } = people();
    const login = await signUp();
    const refusals: unknown[] = [];
    const changed = await changeMeeting(login.token, async () => {
      const process = createAccounts(ports);
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

  it('a store that fails has the session end before the caller learns of it', async () => {
    const { ports, signUp } = people();
    const { id, token, who } = await signUp();
    const { session } = await who();
    let isEnded = false;
    const end: SessionStore['end'] = async (...args) => {
      await setImmediate();
      isEnded = await ports.sessions.end(...args);
      return isEnded;
    };
    const down = unavailable('store_unavailable', 'The store is down.');
    const changing = changeMeeting(token, () => Promise.reject(down), { end });
    expect(await rejectionOf(() => changing)).to.equal(down);
    expect(isEnded).to.equal(true);
    const ended = await ports.sessions.find(id, session.id);
    expect(ended === undefined || ended.endedAt !== null).to.equal(true);
  });

  it('a process that keeps what it read there for a second knows the new pair at once', async () => {
    const { ports, signUp } = people();
    const login = await signUp();
    const silent = {
      announce: async () => undefined,
      onAnnounced: () => undefined,
      close: async () => undefined,
    };
    const cached = makeCachedSessions({ ...ports, announcer: silent, clock: { now: () => 0 } });
    const process = createAccounts({ ...ports, sessionCache: cached.sessionCache });
    const changed = await changeMeeting(login.token, async () => {
      expect(await codeOf(process.authenticate(login.token))).to.equal('invalid_token');
    });
    expect(await codeOf(process.authenticate(changed.token))).to.equal('done');
    expect(await codeOf(process.authenticate(login.token))).to.equal('invalid_token');
  });
});
