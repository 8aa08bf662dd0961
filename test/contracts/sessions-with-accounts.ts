import { expect } from 'chai';
import { tombstoneOf } from '../../core/accounts/account.ts';
import type { AccountStore, SessionCache, SessionStore } from '../../core/accounts/ports.ts';
import { openForEachTest } from './opened.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleAccount, sampleCookieSession, sampleSession } from './samples.ts';

export interface OpenedSessions {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly sessionCache: SessionCache;
  close(): Promise<void>;
}

const MOST = 20;

/** Presences over the same stores, after writes of this process. */
export const sessionsWithAccountsContract = (name: string, open: () => Promise<OpenedSessions>): void => {
  describe(`${name} as a session cache`, () => {
    let opened: OpenedSessions;
    let sessionCache: SessionCache;

    openForEachTest(open, async (current) => {
      opened = current;
      sessionCache = opened.sessionCache;
      await opened.accounts.add(sampleAccount('user'));
      await opened.accounts.add(sampleAccount('other'));
      await opened.sessions.add(sampleSession('a'), MOST);
      await opened.sessions.add(sampleSession('b'), MOST);
    });

    it('gives a session together with its account', async () => {
      const account = sampleAccount('user');
      for (const id of ['a', 'b'])
        expect(await opened.sessions.findWithAccount('user', id)).to.deep.equal({
          account,
          session: sampleSession(id),
        });
      expect(await sessionCache.find('user', 'a')).to.deep.equal({ account, session: sampleSession('a') });
      expect(await sessionCache.find('user', 'b')).to.deep.equal({
        account,
        session: sampleSession('b'),
      });
    });

    it('gives nothing for what is not there, nor for a session of somebody else', async () => {
      await opened.sessions.add(sampleSession('lost', { userId: 'nobody' }), MOST);
      for (const [userId, id] of [
        ['other', 'a'],
        ['user', 'c'],
        ['nobody', 'lost'],
        ['', ''],
      ] as const) {
        expect(await sessionCache.find(userId, id), `${userId} ${id}`).to.equal(undefined);
      }
    });

    it('finds what comes to be after it was asked for in vain', async () => {
      expect(await sessionCache.find('new', 'c')).to.equal(undefined);
      await opened.accounts.add(sampleAccount('new'));
      await opened.sessions.add(sampleSession('c', { userId: 'new' }), MOST);
      expect((await sessionCache.find('new', 'c'))?.account.id).to.equal('new');
    });

    it('has no session of an account that was deleted, or has ended those of this epoch', async () => {
      const { accounts, sessions } = opened;
      await accounts.save({ ...sampleAccount('user'), sessionEpoch: 1 });
      await accounts.save(tombstoneOf(sampleAccount('other'), NOW));
      for (const userId of ['user', 'other']) {
        // As many as there are: none of them is ended for a session that is not added.
        expect(await sessions.add(sampleSession('late', { userId }), 2), userId).to.equal(false);
        expect(await sessions.find(userId, 'late')).to.equal(undefined);
      }
      expect((await sessions.list('user')).map(({ id }) => id)).to.have.members(['a', 'b']);
      expect(await sessions.add(sampleSession('new', { epoch: 1 }), MOST)).to.equal(true);
    });

    const account = sampleAccount('user');
    const writes: Readonly<Record<string, (given: OpenedSessions) => Promise<unknown>>> = {
      'an account that is saved': ({ accounts }) => accounts.save({ ...account, displayName: 'New' }),
      'an account that is removed': ({ accounts }) => accounts.remove(account),
      'a session that is ended': ({ sessions }) => sessions.end('user', 'a', NOW + 1),
      'sessions that are all ended': ({ sessions }) =>
        sessions.endAll('user', { keep: 'b', beforeVersion: null }, NOW + 1),
      'a session that is changed': ({ sessions }) =>
        sessions.change(sampleSession('a'), sampleSession('a', { refreshDigest: 'next' })),
      'a session that is removed': ({ sessions }) => sessions.remove('user', 'a'),
      'a session that a newer one ended': ({ sessions }) => sessions.add(sampleSession('c'), 1),
    };
    for (const [what, write] of Object.entries(writes)) {
      it(`shows ${what} at once, though it was asked before`, async () => {
        const before = await sessionCache.find('user', 'a');
        expect(before).to.deep.equal({ account, session: sampleSession('a') });
        await write(opened);
        const [session, kept] = await Promise.all([
          opened.sessions.find('user', 'a'),
          opened.accounts.find('user'),
        ]);
        const there = session && kept && { session, account: kept };
        expect(there).not.to.deep.equal(before);
        expect(await sessionCache.find('user', 'a')).to.deep.equal(there);
      });
    }

    it('shows the new value of a cookie at once, though it was asked before', async () => {
      await opened.sessions.add(sampleCookieSession('d'), MOST);
      await sessionCache.find('user', 'd');
      const cookie = { digest: 'new', previousDigest: null, changedAt: NOW + 10 };
      await opened.sessions.change(sampleCookieSession('d'), sampleCookieSession('d', { cookie }));
      expect((await sessionCache.find('user', 'd'))?.session.cookie).to.deep.equal(cookie);
    });

    it('refuses anything but text', async () => {
      await refusesNonText((value) => sessionCache.find(value, 'a'));
      await refusesNonText((value) => sessionCache.find('user', value));
    });
  });
};
