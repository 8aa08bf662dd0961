import { expect } from 'chai';
import { formatClaim, makeLoginKeys, withKey } from '../../../../core/accounts/claim-login-keys.ts';
import { makeEntries, withPending } from '../../../../core/accounts/outbox-entries.ts';
import { createAccounts } from '../../../../core/index.ts';
import { claimKey } from '../login-keys/claim-key.ts';
import { newPassword } from '../open-accounts.ts';
import { caller, intercept, makeMailbox, openPorts, password, tokensIn } from '../open-core.ts';

const email = 'gone@example.com';
const domain = 'gone.dev';
const KEYS = { owned: 'oidc:held', removed: 'passkey:given-up' };

type Context = ReturnType<typeof openPorts>;

/** Relays all pending entries, as the background work does after a start. */
const finish = async ({ ports }: Context): Promise<void> => {
  const { background } = createAccounts(ports);
  while ((await background.relay()) > 0);
};

/** Adds a login key to the user, and a pending task that frees another. */
const addKeys = async ({ ports }: Context, userId: string): Promise<void> => {
  const { accounts, random, clock, sealer } = ports;
  const keys = makeLoginKeys(ports);
  const account = await accounts.find(userId);
  if (account === undefined) throw new Error('The user does not exist.');
  const entries = makeEntries({ clock, sealer, newId: () => random.text(16) });
  const task = entries.task('free-key', formatClaim(await claimKey(keys, account, KEYS.removed)));
  const accountWithKey = withKey(account, await claimKey(keys, account, KEYS.owned));
  await accounts.save(withPending(accountWithKey, task));
};

/** Creates a user with two sessions, an audit row and an unsent reset code, and returns an access token. */
const makeUser = async (context: Context): Promise<{ userId: string; token: string }> => {
  const accounts = createAccounts(context.ports);
  const { token: firstToken, user } = tokensIn(await makeMailbox(accounts, context.mails).verify(email));
  const passwords = { currentPassword: password, newPassword };
  const { token } = tokensIn(
    await accounts.changePassword(await accounts.authenticate(firstToken), passwords, caller),
  );
  await accounts.logIn({ email, password: newPassword }, caller);
  await finish(context);
  await accounts.requestPasswordReset({ email }, caller);
  await accounts.setUserEntitlement(undefined, user.id, { service: 'DROP', tier: 'enterprise' }, caller);
  await accounts.setCustomDomain(await accounts.authenticate(token), { domain }, caller);
  await addKeys(context, user.id);
  return { userId: user.id, token };
};

/** Ports of a process that dies at this call to a port. */
const makeDyingPorts = (context: Context, diesAt: number, isCallMade: boolean) => {
  let calls = 0;
  const died = new Error('The process is dead.');
  const countCall = async (call: () => Promise<unknown>): Promise<unknown> => {
    calls += 1;
    if (calls === diesAt && isCallMade) await call();
    if (calls >= diesAt) throw died;
    return call();
  };
  const { accounts, sessions, attempts, outbox, customDomains, loginKeys, audit, events } = context.ports;
  return {
    ports: {
      ...context.ports,
      accounts: intercept(accounts, countCall),
      sessions: intercept(sessions, countCall),
      attempts: intercept(attempts, countCall),
      outbox: intercept(outbox, countCall),
      customDomains: intercept(customDomains, countCall),
      loginKeys: intercept(loginKeys, countCall),
      audit: intercept(audit, countCall),
      events: intercept(events, countCall),
    },
    hasDied: () => calls >= diesAt,
  };
};

/** Checks that all data of the user are deleted, and that the tombstone, the last mail and the audit chain stay. */
const expectDeleted = async ({ ports, events }: Context, userId: string) => {
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

const expectUntouched = async ({ ports }: Context, userId: string) => {
  const accounts = createAccounts(ports);
  const answer = await accounts.logIn({ email, password: newPassword }, caller);
  expect(answer.user.id).to.equal(userId);
  expect((await makeLoginKeys(ports).find(KEYS.owned))?.account.id).to.equal(userId);
  expect((await ports.outbox.listFor(email)).map(({ entry }) => entry.template)).to.include('reset');
};

describe('Deletion of an account after a crash', () => {
  /** Deletes in a process that dies at this call; then another process relays. Returns the outcome. */
  const tryDeletion = async (diesAt: number, isCallMade: boolean) => {
    const context = openPorts();
    const { userId, token } = await makeUser(context);
    const principal = await createAccounts(context.ports).authenticate(token);
    const { ports, hasDied } = makeDyingPorts(context, diesAt, isCallMade);
    const succeeded = await createAccounts(ports)
      .deleteAccount(principal, { password: newPassword }, caller)
      .then(
        () => true,
        () => false,
      );

    await finish(context);
    const deleted = (await context.ports.accounts.findByEmail(email)) === undefined;
    if (deleted) await expectDeleted(context, userId);
    else await expectUntouched(context, userId);
    return { survived: !hasDied(), succeeded, deleted };
  };

  it('publishes its event after the earlier events of the user', async () => {
    const context = openPorts();
    const failing = { publish: () => Promise.reject(new Error('No subscriber.')) };
    const accounts = createAccounts({ ...context.ports, events: failing });
    const publishing = createAccounts(context.ports);
    const { token, user } = tokensIn(
      await makeMailbox(publishing, context.mails).verify('other@example.com'),
    );
    await accounts.background.relay();
    await accounts.deleteAccount(await accounts.authenticate(token), { password }, caller);
    await finish(context);

    const eventTypes = context.events.filter((event) => event.userId === user.id).map(({ type }) => type);
    expect(eventTypes).to.deep.equal(['user.created', 'user.verified', 'user.deleted', 'session.revoked']);
  });

  for (const isCallMade of [false, true]) {
    const when = isCallMade ? 'right after' : 'right before';
    it(`is complete or did not happen if the process dies ${when} any call to a port`, async () => {
      const outcomes: { survived: boolean; succeeded: boolean; deleted: boolean }[] = [];
      do outcomes.push(await tryDeletion(outcomes.length + 1, isCallMade));
      while (!outcomes.at(-1)?.survived);

      expect(outcomes.filter(({ succeeded, deleted }) => succeeded && !deleted)).to.deep.equal([]);
      const deleted = outcomes.map((outcome) => outcome.deleted);
      expect(deleted).to.include(false);
      expect(deleted.filter(Boolean).length).to.be.above(6, 'crashes after the first write');
      expect(deleted, 'once deleted, always deleted').to.deep.equal(deleted.toSorted());
    });
  }
});
