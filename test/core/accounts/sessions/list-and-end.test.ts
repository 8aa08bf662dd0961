import { expect } from 'chai';
import { sampleTwoFactor } from '../../../contracts/samples.ts';
import { caller, codeOf } from '../open-core.ts';
import { newPassword, tokensIn, usePeople } from '../use-people.ts';

const DAY = 86_400_000;

describe('The sessions of a user', () => {
  const people = usePeople();
  /** Another session of the user, and its id. */
  const open = async (email: string) => {
    const { accounts, logIn } = people();
    const tokens = tokensIn(await logIn(email));
    return { ...tokens, id: (await accounts.authenticate(tokens.token)).session.id };
  };
  const idsSeenBy = async (token: string) => {
    const { accounts } = people();
    const { sessions } = await accounts.listSessions(await accounts.authenticate(token));
    return sessions.map(({ id }) => id);
  };
  const areGood = (tokens: readonly string[]) => Promise.all(tokens.map((token) => people().isGood(token)));
  const refresh = (refreshToken: string) => codeOf(people().accounts.refresh({ refreshToken }, caller));

  it('are told of with the time of their end, however late; what is over is swept, and counted', async () => {
    const { accounts, clock, events, settle, signUp } = people();
    const { email, id, who } = await signUp();
    const ended = await open(email);
    const before = clock.now();
    await accounts.endSession(await who(), ended.id, caller);
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

  it('are listed newest first while they last, each with its last refresh and which one asks', async () => {
    const { accounts, clock, signUp } = people();
    const { email } = await signUp();
    clock.advance(20 * DAY);
    const later = await open(email);
    clock.advance(600_000);
    expect(await idsSeenBy(later.token)).to.have.length(2);
    const { token } = await accounts.refresh({ refreshToken: later.refreshToken }, caller);
    clock.advance(10 * DAY);
    const last = await open(email);
    expect(await idsSeenBy(last.token)).to.deep.equal([last.id, later.id]);

    const { sessions } = await accounts.listSessions(await accounts.authenticate(token));
    expect(sessions.map(({ current }) => current)).to.deep.equal([false, true]);
    const [lived] = sessions
      .slice(1)
      .map(({ createdAt, lastUsedAt }) => +new Date(lastUsedAt) - +new Date(createdAt));
    expect(lived).to.be.within(600_000, 601_000);
  });

  it('end one by one, by their own token, too', async () => {
    const { accounts, signUp } = people();
    const user = await signUp();
    const other = await open(user.email);
    const endOther = async () => codeOf(accounts.endSession(await user.who(), other.id, caller));
    expect([await endOther(), await endOther()]).to.deep.equal(['done', 'session_not_found']);
    expect(await areGood([other.token, user.token])).to.deep.equal([false, true]);
    expect(await refresh(other.refreshToken)).to.equal('invalid_refresh_token');
    const [own = ''] = await idsSeenBy(user.token);
    await accounts.endSession(await user.who(), own, caller);
    expect(await areGood([user.token])).to.deep.equal([false]);
  });

  it('of another user are as unknown as ones that never were', async () => {
    const { accounts, signUp } = people();
    const [user, other] = [await signUp(), await signUp('grace@example.com')];
    for (const id of [(await other.who()).session.id, '0199a0a0-0000-7000-8000-000000000000', 'x'])
      expect(await codeOf(accounts.endSession(await user.who(), id, caller))).to.equal('session_not_found');
    expect(await areGood([other.token])).to.deep.equal([true]);
  });

  it('end all at once but the one that asks and those of others', async () => {
    const { accounts, signUp } = people();
    const [user, stranger] = [await signUp(), await signUp('grace@example.com')];
    const others = [await open(user.email), await open(user.email)];
    for (let time = 0; time < 2; time += 1) await accounts.endOtherSessions(await user.who(), caller);
    expect(await areGood([...others, user, stranger].map(({ token }) => token))).to.deep.equal([
      false,
      false,
      true,
      true,
    ]);
    expect(await idsSeenBy(user.token)).to.have.length(1);
  });

  it('are twenty at most: the oldest ends', async () => {
    const first = await people().signUp();
    const second = await open(first.email);
    for (let more = 0; more < 18; more += 1) await open(first.email);
    expect(await idsSeenBy(first.token)).to.have.length(20);
    const last = await open(first.email);
    expect(await areGood([first.token, second.token])).to.deep.equal([false, true]);
    expect(await refresh(first.refreshToken)).to.equal('invalid_refresh_token');
    expect(await idsSeenBy(last.token)).to.have.length(20);
  });

  it('end at a sign-out with all their tokens, and no others', async () => {
    const { accounts, signUp } = people();
    const user = await signUp();
    const other = await open(user.email);
    const refreshed = await accounts.refresh({ refreshToken: user.refreshToken }, caller);
    await accounts.logOut(await user.who(), caller);
    expect(await areGood([user.token, refreshed.token, other.token])).to.deep.equal([false, false, true]);
    expect(await refresh(refreshed.refreshToken)).to.equal('invalid_refresh_token');
  });

  it('are not ended that the owner began after a reset, by a call that was let in before it', async () => {
    const { accounts, codeTo, logIn, ports, signUp } = people();
    const { id, email, who } = await signUp();
    const before = await who();
    await accounts.requestPasswordReset({ email }, caller);
    await accounts.confirmPasswordReset({ email, code: await codeTo(email), newPassword }, caller);
    await logIn(email, { password: newPassword });
    const ownSessions = await ports.sessions.list(id);
    expect(ownSessions).to.have.length(1);
    await accounts.endOtherSessions(before, caller);
    expect(await ports.sessions.list(id)).to.deep.equal(ownSessions);
  });

  it('end by a fresh proof that the store knows, not by one that came with the request', async () => {
    const { accounts, edit, ports, signUp } = people();
    const [one, other] = [await signUp(), await signUp('grace@example.com')];
    const principals = [await one.who(), await other.who()];
    const endOthers = () =>
      Promise.all(principals.map((principal) => codeOf(accounts.endOtherSessions(principal, caller))));
    expect(await endOthers()).to.deep.equal(['done', 'done']);
    await edit(one.id, { twoFactor: sampleTwoFactor });
    await ports.sessions.remove(other.id, principals[1]?.session.id ?? '');
    expect(await endOthers()).to.deep.equal(Array(2).fill('fresh_authentication_needed'));
  });
});
