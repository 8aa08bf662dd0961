import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { byMail, caller, openPorts, password, tokensIn } from '../open-core.ts';

const email = 'ada@example.com';

describe('A login during which the account is deleted', () => {
  /** Deletes the account right before or after the login's write to a store. */
  const race = async (store: 'sessions' | 'accounts', when: 'before' | 'after', later: number) => {
    const core = openPorts();
    const plain = createAccounts(core.ports);
    const { token, user } = tokensIn(await byMail(plain, core.mails).verify(email));
    const who = await plain.authenticate(token);

    let deleted: Promise<unknown> | undefined;
    const remove = () => {
      deleted ??= plain.deleteAccount(who, { password }, caller);
      return deleted;
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
      // Past the time in which an address is not noted anew, the account is written, too.
      clock: { now: () => core.ports.clock.now() + later },
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

  const DAYS = 2 * 86_400_000;
  for (const [store, when, later] of [
    ['sessions', 'before', 0],
    ['sessions', 'before', DAYS],
    ['sessions', 'after', DAYS],
    ['accounts', 'before', DAYS],
  ] as const) {
    const written = later === 0 ? '' : ', where the account is written, too';
    it(`right ${when} the write of ${store} leaves no session and is refused like wrong credentials${written}`, async () => {
      const { outcome, rows } = await race(store, when, later);
      expect(outcome).to.include({ code: 'wrong_credentials', kind: 'unauthenticated' });
      expect(rows).to.deep.equal([]);
    });
  }

  for (const [store, later] of [
    ['accounts', DAYS],
    ['sessions', 0],
  ] as const) {
    it(`right after the last write, of ${store}, leaves no session`, async () => {
      const { outcome, rows } = await race(store, 'after', later);
      expect(outcome).to.have.property('token');
      expect(rows).to.deep.equal([]);
    });
  }
});
