import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type AccountsContext, newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf, password } from '../open-core.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const REFUSED = 'invalid_refresh_token';

const makeCalls = (core: () => AccountsContext) => {
  const refresh = (refreshToken: string) => core().accounts.refresh({ refreshToken }, caller);
  return {
    refresh,
    attempt: (refreshToken: string) => codeOf(refresh(refreshToken)),
    nextOf: async (refreshToken: string) => (await refresh(refreshToken)).refreshToken,
  };
};

describe('The refresh of a session', () => {
  const core = useAccounts();
  const { refresh, attempt, nextOf } = makeCalls(core);

  it('returns a new pair for the session, and the earlier access token stays valid', async () => {
    const { accounts, isActive, signUp } = core();
    const user = await signUp();
    const { token, refreshToken, ...others } = await refresh(user.refreshToken);
    expect(others).to.deep.equal({});
    expect([await isActive(token), await isActive(user.token)]).to.deep.equal([true, true]);
    const [before, after] = [await user.principal(), await accounts.authenticate(token)];
    expect(after.session.id).to.equal(before.session.id);
    expect([await attempt(user.refreshToken), await attempt(refreshToken)]).to.deep.equal([REFUSED, 'done']);
  });

  it('returns a valid access token after a password change by a process whose clock is ahead', async () => {
    const { accounts, clock, isActive, signUp } = core();
    const { principal } = await signUp();
    clock.advance(5_000);
    const change = { currentPassword: password, newPassword };
    const tokens = tokensIn(await accounts.changePassword(await principal(), change, caller));
    clock.advance(-5_000);
    const { token } = await refresh(tokens.refreshToken);
    expect(await isActive(token)).to.equal(true);
  });

  it('is possible within 30 days of the last refresh', async () => {
    const { clock, logIn, signUp } = core();
    const user = await signUp();
    const other = tokensIn(await logIn(user.email));
    clock.advance(30 * DAY - MINUTE);
    const next = await nextOf(user.refreshToken);
    clock.advance(MINUTE);
    expect(await attempt(other.refreshToken)).to.equal(REFUSED);
    clock.advance(30 * DAY - 2 * MINUTE);
    expect(await attempt(next)).to.equal('done');
  });

  it('is refused 180 days after the sign-in, even if it was repeated before', async () => {
    const { clock, isActive, signUp } = core();
    let { refreshToken } = await signUp();
    for (let month = 0; month < 7; month += 1) {
      clock.advance(25 * DAY);
      refreshToken = await nextOf(refreshToken);
    }
    clock.advance(5 * DAY - MINUTE);
    const last = await refresh(refreshToken);
    clock.advance(MINUTE);
    expect([await isActive(last.token), await attempt(last.refreshToken)]).to.deep.equal([false, REFUSED]);
  });

  it('refuses malformed, altered and other tokens', async () => {
    const { token, refreshToken } = await core().signUp();
    const [userId, sessionId, secret, mac] = refreshToken.split('.');
    for (const invalidToken of [
      'garbage',
      token,
      ` ${refreshToken}`,
      `${refreshToken}=`,
      `${refreshToken}.`,
      `${userId}.${sessionId}.${secret}`,
      `${userId}.${sessionId}.${secret?.slice(1)}A.${mac}`,
      `${userId}.${sessionId}.${secret}.${mac?.slice(1)}A`,
      `${sessionId}.${userId}.${secret}.${mac}`,
      refreshToken.toUpperCase(),
    ])
      expect(await attempt(invalidToken), invalidToken).to.equal(REFUSED);
    expect(await attempt(refreshToken)).to.equal('done');
  });
});

describe('A refresh token used a second time', () => {
  const core = useAccounts();
  const { refresh, attempt, nextOf } = makeCalls(core);

  it('is only refused within 10 seconds, because two tabs may race', async () => {
    const { actionsAbout, clock, isActive, signUp } = core();
    const user = await signUp();
    const second = await refresh(user.refreshToken);
    clock.advance(4_000);
    const third = await nextOf(second.refreshToken);
    clock.advance(4_000);
    for (const used of [user.refreshToken, second.refreshToken])
      expect(await attempt(used)).to.equal(REFUSED);
    expect([await isActive(second.token), await attempt(third)]).to.deep.equal([true, 'done']);
    expect(await actionsAbout(user.id)).to.deep.equal([]);
  });

  it('ends its session alone after 10 seconds, with one audit row, mail and event', async () => {
    const { actionsAbout, clock, events, isActive, logIn, mailsTo, signUp } = core();
    const user = await signUp();
    const other = tokensIn(await logIn(user.email));
    const { token, refreshToken } = await refresh(user.refreshToken);
    clock.advance(10_001);
    for (let time = 0; time < 2; time += 1) expect(await attempt(user.refreshToken)).to.equal(REFUSED);

    expect([await isActive(user.token), await isActive(token)]).to.deep.equal([false, false]);
    expect(await attempt(refreshToken)).to.equal(REFUSED);
    expect([await isActive(other.token), await attempt(other.refreshToken)]).to.deep.equal([true, 'done']);
    expect(await actionsAbout(user.id)).to.deep.equal(['session.reuse_detected']);
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects.slice(1)).to.deep.equal(['A Gatehouse session was ended for safety']);
    const types = events.map(({ type }) => type);
    expect(types).to.deep.equal(['user.created', 'user.verified', 'session.revoked']);
  });

  for (const [when, times, pause] of [
    ['it is many generations old', 5, MINUTE],
    ['the session is refreshed every few seconds', 6, 4_500],
  ] as const) {
    it(`ends the session also if ${when}`, async () => {
      const { actionsAbout, clock, signUp } = core();
      const { id, refreshToken } = await signUp();
      let last = refreshToken;
      for (let time = 0; time < times; time += 1) {
        last = await nextOf(last);
        clock.advance(pause);
      }
      expect([await attempt(refreshToken), await attempt(last)]).to.deep.equal([REFUSED, REFUSED]);
      expect(await actionsAbout(id)).to.deep.equal(['session.reuse_detected']);
    });
  }

  it('is only refused if it is forged for an existing session', async () => {
    const { clock, signUp } = core();
    const { refreshToken } = await signUp();
    const next = await nextOf(refreshToken);
    clock.advance(MINUTE);
    const [userId, sessionId, secret, mac] = refreshToken.split('.');
    for (const forgedToken of [
      `${userId}.${sessionId}.${randomBytes(32).toString('base64url')}.${mac}`,
      `${userId}.${sessionId}.${secret}.${randomBytes(16).toString('base64url')}`,
      `${userId}.${sessionId}.${next.split('.')[2]}.${mac}`,
    ])
      expect(await attempt(forgedToken)).to.equal(REFUSED);
    expect(await attempt(next)).to.equal('done');
  });

  it('is only refused after the session ended', async () => {
    const { accounts, actionsAbout, clock, signUp } = core();
    const { id, refreshToken, principal } = await signUp();
    await refresh(refreshToken);
    await accounts.logOut(await principal(), caller);
    clock.advance(MINUTE);
    expect(await attempt(refreshToken)).to.equal(REFUSED);
    expect(await actionsAbout(id)).to.deep.equal([]);
  });
});

describe('A refresh token used again with a grace period', () => {
  const core = useAccounts({ refreshGraceMs: 30_000 });
  const { refresh, attempt, nextOf } = makeCalls(core);

  it('returns its first successor with a valid access token', async () => {
    const { clock, isActive, signUp } = core();
    const { refreshToken } = await signUp();
    const first = await refresh(refreshToken);
    clock.advance(29_000);
    const second = await refresh(refreshToken);
    expect(second.refreshToken).to.equal(first.refreshToken);
    expect(await isActive(second.token)).to.equal(true);
    expect(await attempt(first.refreshToken)).to.equal('done');
  });

  it('is refused after its successor is used', async () => {
    const { refreshToken } = await core().signUp();
    const next = await nextOf(refreshToken);
    const afterNext = await nextOf(next);
    expect([await attempt(refreshToken), await attempt(afterNext)]).to.deep.equal([REFUSED, 'done']);
  });

  for (const [when, before, after] of [
    ['the grace period has passed', 0, 30_001],
    ['the clock was set back by more than the grace period', 3_600_000, -3_600_000],
  ] as const) {
    it(`ends the session if ${when}`, async () => {
      const { clock, signUp } = core();
      const { refreshToken } = await signUp();
      clock.advance(before);
      const next = await nextOf(refreshToken);
      clock.advance(after);
      expect([await attempt(refreshToken), await attempt(next)]).to.deep.equal([REFUSED, REFUSED]);
    });
  }

  it('returns its first successor if the clock of the process is a little behind', async () => {
    const { clock, signUp } = core();
    const { refreshToken } = await signUp();
    const next = await nextOf(refreshToken);
    clock.advance(-20_000);
    expect(await nextOf(refreshToken)).to.equal(next);
  });

  it('is refused after its session ended', async () => {
    const { accounts, signUp } = core();
    const { refreshToken, principal } = await signUp();
    await refresh(refreshToken);
    await accounts.logOut(await principal(), caller);
    expect(await attempt(refreshToken)).to.equal(REFUSED);
  });

  it('has a different successor in each generation', async () => {
    let { refreshToken } = await core().signUp();
    const tokens = new Set([refreshToken]);
    for (let time = 0; time < 5; time += 1) {
      refreshToken = await nextOf(refreshToken);
      tokens.add(refreshToken);
    }
    expect(tokens.size).to.equal(6);
  });
});
