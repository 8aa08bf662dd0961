import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { caller, makeMailbox, openPorts, password, tokensIn } from '../open-core.ts';

const email = 'ada@example.com';

describe('A sign-in with a concurrent deletion', () => {
  /** Deletes the account right before or after the write of the sign-in to a store. */
  const race = async (store: 'sessions' | 'accounts', when: 'before' | 'after', laterMs: number) => {
    const core = openPorts();
    const plain = createAccounts(core.ports);
    const { token, user } = tokensIn(await makeMailbox(plain, core.mails).verify(email));
    const principal = await plain.authenticate(token);

    let deletion: Promise<unknown> | undefined;
    const remove = () => {
      deletion ??= plain.deleteAccount(principal, { password }, caller);
      return deletion;
    };
    const around = async <T>(write: () => Promise<T>): Promise<T> => {
      if (when === 'before') await remove();
      const answer = await write();
      await remove();
      return answer;
    };
    const { accounts, sessions } = core.ports;
    const racing = createAccounts({
      ...core.ports,
      // After two days the known address is stored again, so that the sign-in also writes the account.
      clock: { now: () => core.ports.clock.now() + laterMs },
      ...(store === 'sessions'
        ? { sessions: { ...sessions, add: (session, most) => around(() => sessions.add(session, most)) } }
        : { accounts: { ...accounts, save: (account) => around(() => accounts.save(account)) } }),
    });
    const outcome = await racing.logIn({ email, password }, caller).catch((error: unknown) => error);
    await remove();
    while ((await plain.background.relay()) > 0);
    const remaining = await sessions.find(user.id, sessionOf(outcome));
    const rows = [
      ...(await sessions.list(user.id)),
      ...(await sessions.listEnded(10)),
      ...(remaining ? [remaining] : []),
    ];
    return { outcome, rows };
  };

  const sessionOf = (outcome: unknown): string =>
    outcome instanceof Object && 'token' in outcome ? (String(outcome.token).split(' ')[1] ?? '') : '';

  const TWO_DAYS_MS = 2 * 86_400_000;
  for (const [store, when, laterMs] of [
    ['sessions', 'before', 0],
    ['sessions', 'before', TWO_DAYS_MS],
    ['sessions', 'after', TWO_DAYS_MS],
    ['accounts', 'before', TWO_DAYS_MS],
  ] as const) {
    const condition = laterMs === 0 ? '' : ' if it also writes the account';
    it(`right ${when} its write of ${store} is refused and leaves no session${condition}`, async () => {
      const { outcome, rows } = await race(store, when, laterMs);
      expect(outcome).to.include({ code: 'wrong_credentials', kind: 'unauthenticated' });
      expect(rows).to.deep.equal([]);
    });
  }

  for (const [store, laterMs] of [
    ['accounts', TWO_DAYS_MS],
    ['sessions', 0],
  ] as const) {
    it(`right after its last write, of ${store}, succeeds but leaves no session`, async () => {
      const { outcome, rows } = await race(store, 'after', laterMs);
      expect(outcome).to.have.property('token');
      expect(rows).to.deep.equal([]);
    });
  }
});
