import { expect } from 'chai';
import { formatClaim, makeLoginKeys, withKey } from '../../../../core/accounts/claim-login-keys.ts';
import { makeEntries, withPending } from '../../../../core/accounts/outbox-entries.ts';
import { createAccounts } from '../../../../core/index.ts';
import { claimed } from '../login-keys/claimed.ts';
import { byMail, caller, openPorts, password, tokensIn, watched } from '../open-core.ts';
import { newPassword } from '../use-people.ts';

const email = 'gone@example.com';
const domain = 'gone.dev';
const KEYS = { held: 'oidc:held', givenUp: 'passkey:given-up' };

type Opened = ReturnType<typeof openPorts>;

/** Moves on whatever is pending, as the background work would after a start. */
const finish = async ({ ports }: Opened): Promise<void> => {
  const { background } = createAccounts(ports);
  while ((await background.relay()) > 0);
};

/** Gives the user a login key, and a task to free another, which is not done yet. */
const addKeys = async ({ ports }: Opened, userId: string): Promise<void> => {
  const { accounts, random, clock, sealer } = ports;
  const keys = makeLoginKeys(ports);
  const account = await accounts.find(userId);
  if (account === undefined) throw new Error('There is no such user.');
  const entries = makeEntries({ clock, sealer, newId: () => random.text(16) });
  const task = entries.task('free-key', formatClaim(await claimed(keys, account, KEYS.givenUp)));
  const accountWithKey = withKey(account, await claimed(keys, account, KEYS.held));
  await accounts.save(withPending(accountWithKey, task));
};

/** A user with two sessions, an audit row, and a reset code whose mail is not sent yet; gives an access token. */
const makeUser = async (context: Opened): Promise<{ userId: string; token: string }> => {
  const accounts = createAccounts(context.ports);
  const { token: first, user } = tokensIn(await byMail(accounts, context.mails).verify(email));
  const passwords = { currentPassword: password, newPassword };
  const { token } = tokensIn(
    await accounts.changePassword(await accounts.authenticate(first), passwords, caller),
  );
  await accounts.logIn({ email, password: newPassword }, caller);
  await finish(context);
  await accounts.requestPasswordReset({ email }, caller);
  await accounts.setUserEntitlement(undefined, user.id, { service: 'DROP', tier: 'enterprise' }, caller);
  await accounts.setCustomDomain(await accounts.authenticate(token), { domain }, caller);
  await addKeys(context, user.id);
  return { userId: user.id, token };
};

/** Ports of a process that dies with the given call to a store or to the product around it. */
const mortal = (context: Opened, diesAt: number, landed: boolean) => {
  let calls = 0;
  const died = new Error('The process is dead.');
  const live = async (call: () => Promise<unknown>): Promise<unknown> => {
    calls += 1;
    if (calls === diesAt && landed) await call();
    if (calls >= diesAt) throw died;
    return call();
  };
  const { accounts, sessions, attempts, outbox, customDomains, loginKeys, audit, events } = context.ports;
  return {
    ports: {
      ...context.ports,
      accounts: watched(accounts, live),
      sessions: watched(sessions, live),
      attempts: watched(attempts, live),
      outbox: watched(outbox, live),
      customDomains: watched(customDomains, live),
      loginKeys: watched(loginKeys, live),
      audit: watched(audit, live),
      events: watched(events, live),
    },
    hasDied: () => calls >= diesAt,
  };
};

/** All that must be gone is, and what must be left is left. */
const expectGone = async ({ ports, events }: Opened, userId: string) => {
  const { accounts, sessions, outbox, customDomains, loginKeys, audit } = ports;
  const tombstone = await accounts.find(userId);
  expect(tombstone).to.include({ email: '', passwordHash: null, reset: null });
  expect(tombstone?.deletedAt).to.be.a('number');
  expect(tombstone?.pending).to.deep.equal([]);
  expect(await accounts.findByEmail(email)).to.equal(undefined);
  expect(await sessions.list(userId)).to.deep.equal([]);
  expect(await customDomains.find(domain)).to.equal(undefined);
  for (const key of Object.values(KEYS)) expect(await loginKeys.find(key)).to.equal(undefined);
  expect(await sessions.listEnded(10)).to.deep.equal([]);
  expect((await outbox.listFor(email)).map(({ entry }) => entry.template)).to.deep.equal(['account-deleted']);
  const rows = (await audit.list(1, 100)).filter(({ target }) => target !== 'audit');
  expect(rows.length).to.be.above(2);
  for (const { content } of rows.slice(0, -2)) expect(content).to.equal(null);
  const actions = rows.map(({ content }) => (content === null ? null : JSON.parse(content).action));
  expect(actions.filter((action) => action === 'password.changed')).to.deep.equal([]);
  const deletions = events.filter(({ type }) => type === 'user.deleted');
  expect(new Set(deletions.map(({ id }) => id)).size).to.equal(1);
  expect(deletions[0]?.userId).to.equal(userId);
};

const expectUntouched = async ({ ports }: Opened, userId: string) => {
  const accounts = createAccounts(ports);
  const answer = await accounts.logIn({ email, password: newPassword }, caller);
  expect(answer.user.id).to.equal(userId);
  expect((await makeLoginKeys(ports).find(KEYS.held))?.account.id).to.equal(userId);
  expect((await ports.outbox.listFor(email)).map(({ entry }) => entry.template)).to.include('reset');
};

describe('The deletion of an account', () => {
  /** Dies at the given call; then another process finishes. Says whether it lived to the end, and what was left. */
  const tryIt = async (diesAt: number, landed: boolean) => {
    const context = openPorts();
    const { userId, token } = await makeUser(context);
    const who = await createAccounts(context.ports).authenticate(token);
    const { ports, hasDied } = mortal(context, diesAt, landed);
    const answered = await createAccounts(ports)
      .deleteAccount(who, { password: newPassword }, caller)
      .then(
        () => true,
        () => false,
      );

    await finish(context);
    const deleted = (await context.ports.accounts.findByEmail(email)) === undefined;
    if (deleted) await expectGone(context, userId);
    else await expectUntouched(context, userId);
    return { lived: !hasDied(), answered, deleted };
  };

  it('is told after what was still to be told about the user', async () => {
    const context = openPorts();
    const deaf = { publish: () => Promise.reject(new Error('Nobody listens.')) };
    const accounts = createAccounts({ ...context.ports, events: deaf });
    const listening = createAccounts(context.ports);
    const { token, user } = tokensIn(await byMail(listening, context.mails).verify('other@example.com'));
    await accounts.background.relay();
    await accounts.deleteAccount(await accounts.authenticate(token), { password }, caller);
    await finish(context);

    const eventTypes = context.events.filter((event) => event.userId === user.id).map(({ type }) => type);
    expect(eventTypes).to.deep.equal(['user.created', 'user.verified', 'user.deleted', 'session.revoked']);
  });

  for (const landed of [false, true]) {
    const when = landed ? 'right after' : 'right before';
    it(`is whole or not at all, whichever call to a port the process died ${when}`, async () => {
      const outcomes: { lived: boolean; answered: boolean; deleted: boolean }[] = [];
      do outcomes.push(await tryIt(outcomes.length + 1, landed));
      while (!outcomes.at(-1)?.lived);

      expect(outcomes.filter(({ answered, deleted }) => answered && !deleted)).to.deep.equal([]);
      const deleted = outcomes.map((outcome) => outcome.deleted);
      expect(deleted).to.include(false);
      expect(deleted.filter((one) => one).length).to.be.above(6, 'there are steps after the first write');
      expect(deleted, 'never undone').to.deep.equal(deleted.toSorted());
    });
  }
});
