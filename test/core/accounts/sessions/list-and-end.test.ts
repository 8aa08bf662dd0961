import { expect } from 'chai';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { newPassword, tokensIn, useAccounts } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

const DAY = 86_400_000;

describe('The sessions of a user', () => {
  const core = useAccounts();
  /** Opens another session of the user, and returns its tokens and id. */
  const openSession = async (email: string) => {
    const { accounts, logIn } = core();
    const tokens = tokensIn(await logIn(email));
    return { ...tokens, id: (await accounts.authenticate(tokens.token)).session.id };
  };
  const idsSeenBy = async (token: string) => {
    const { accounts } = core();
    const { sessions } = await accounts.listSessions(await accounts.authenticate(token));
    return sessions.map(({ id }) => id);
  };
  const areActive = (tokens: readonly string[]) => Promise.all(tokens.map((token) => core().isActive(token)));
  const refresh = (refreshToken: string) => codeOf(core().accounts.refresh({ refreshToken }, caller));

  it('are published with the time of their end, even late, and are swept after they expire', async () => {
    const { accounts, clock, events, settle, signUp } = core();
    const { email, id, principal } = await signUp();
    const ended = await openSession(email);
    const before = clock.now();
    await accounts.endSession(await principal(), ended.id, caller);
    const after = clock.now();
    clock.advance(DAY);
    await settle();
    const revocations = events.filter(({ type }) => type === 'session.revoked');
    expect(revocations.map(({ userId, sessionId }) => [userId, sessionId])).to.deep.equal([[id, ended.id]]);
    expect(revocations[0]?.at).to.be.within(before, after);
    clock.advance(31 * DAY);
    expect(await accounts.background.sweep()).to.be.greaterThan(0);
    expect(await accounts.background.sweep()).to.equal(0);
  });

  it('are listed newest first while active, with last refresh and a mark on the current one', async () => {
    const { accounts, clock, signUp } = core();
    const { email } = await signUp();
    clock.advance(20 * DAY);
    const laterSession = await openSession(email);
    clock.advance(600_000);
    expect(await idsSeenBy(laterSession.token)).to.have.length(2);
    const { token } = await accounts.refresh({ refreshToken: laterSession.refreshToken }, caller);
    clock.advance(10 * DAY);
    const lastSession = await openSession(email);
    expect(await idsSeenBy(lastSession.token)).to.deep.equal([lastSession.id, laterSession.id]);

    const { sessions } = await accounts.listSessions(await accounts.authenticate(token));
    expect(sessions.map(({ current }) => current)).to.deep.equal([false, true]);
    const [lifetimeMs] = sessions
      .slice(1)
      .map(({ createdAt, lastUsedAt }) => +new Date(lastUsedAt) - +new Date(createdAt));
    expect(lifetimeMs).to.be.within(600_000, 601_000);
  });

  it('end one by one, also by their own token', async () => {
    const { accounts, signUp } = core();
    const user = await signUp();
    const other = await openSession(user.email);
    const endOther = async () => codeOf(accounts.endSession(await user.principal(), other.id, caller));
    expect([await endOther(), await endOther()]).to.deep.equal(['done', 'session_not_found']);
    expect(await areActive([other.token, user.token])).to.deep.equal([false, true]);
    expect(await refresh(other.refreshToken)).to.equal('invalid_refresh_token');
    const [own = ''] = await idsSeenBy(user.token);
    await accounts.endSession(await user.principal(), own, caller);
    expect(await areActive([user.token])).to.deep.equal([false]);
  });

  it('are refused as unknown if they belong to another user or do not exist', async () => {
    const { accounts, signUp } = core();
    const [user, otherUser] = [await signUp(), await signUp('grace@example.com')];
    for (const id of [(await otherUser.principal()).session.id, '0199a0a0-0000-7000-8000-000000000000', 'x'])
      expect(await codeOf(accounts.endSession(await user.principal(), id, caller))).to.equal(
        'session_not_found',
      );
    expect(await areActive([otherUser.token])).to.deep.equal([true]);
  });

  it('end all at once, except the current one and those of other users', async () => {
    const { accounts, signUp } = core();
    const [user, stranger] = [await signUp(), await signUp('grace@example.com')];
    const others = [await openSession(user.email), await openSession(user.email)];
    for (let time = 0; time < 2; time += 1) await accounts.endOtherSessions(await user.principal(), caller);
    expect(await areActive([...others, user, stranger].map(({ token }) => token))).to.deep.equal([
      false,
      false,
      true,
      true,
    ]);
    expect(await idsSeenBy(user.token)).to.have.length(1);
  });

  it('are limited to twenty: a new one ends the oldest', async () => {
    const first = await core().signUp();
    const second = await openSession(first.email);
    for (let more = 0; more < 18; more += 1) await openSession(first.email);
    expect(await idsSeenBy(first.token)).to.have.length(20);
    const lastSession = await openSession(first.email);
    expect(await areActive([first.token, second.token])).to.deep.equal([false, true]);
    expect(await refresh(first.refreshToken)).to.equal('invalid_refresh_token');
    expect(await idsSeenBy(lastSession.token)).to.have.length(20);
  });

  it('end at a sign-out with all their tokens, while others stay active', async () => {
    const { accounts, signUp } = core();
    const user = await signUp();
    const other = await openSession(user.email);
    const refreshed = await accounts.refresh({ refreshToken: user.refreshToken }, caller);
    await accounts.logOut(await user.principal(), caller);
    expect(await areActive([user.token, refreshed.token, other.token])).to.deep.equal([false, false, true]);
    expect(await refresh(refreshed.refreshToken)).to.equal('invalid_refresh_token');
  });

  it('stay active after a reset even if a call from before the reset ends other sessions', async () => {
    const { accounts, codeTo, logIn, ports, signUp } = core();
    const { id, email, principal } = await signUp();
    const before = await principal();
    await accounts.requestPasswordReset({ email }, caller);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller);
    await logIn(email, { password: newPassword });
    const ownSessions = await ports.sessions.list(id);
    expect(ownSessions).to.have.length(1);
    await accounts.endOtherSessions(before, caller);
    expect(await ports.sessions.list(id)).to.deep.equal(ownSessions);
  });

  it('end only if the stored session is fresh, whatever the principal of the call says', async () => {
    const { accounts, edit, ports, signUp } = core();
    const [ada, grace] = [await signUp(), await signUp('grace@example.com')];
    const principals = [await ada.principal(), await grace.principal()];
    const endOthers = () =>
      Promise.all(principals.map((principal) => codeOf(accounts.endOtherSessions(principal, caller))));
    expect(await endOthers()).to.deep.equal(['done', 'done']);
    await edit(ada.id, { twoFactor: sampleTwoFactor });
    await ports.sessions.remove(grace.id, principals[1]?.session.id ?? '');
    expect(await endOthers()).to.deep.equal(Array(2).fill('fresh_authentication_needed'));
  });
});
