import { expect } from 'chai';
import { tombstoneOf } from '../../core/accounts/account.ts';
import type { AccountStore, SessionCache, SessionStore } from '../../core/accounts/ports.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleAccount, sampleCookieSession, sampleSession } from './samples.ts';

export interface OpenedSessions {
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly sessionCache: SessionCache;
  close(): Promise<void>;
}

const MOST = 20;

/** The rules of a session cache over the same stores, after writes by this process. */
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

    it('returns a session with its account', async () => {
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

    it("returns nothing for an unknown session, an unknown account or another user's session", async () => {
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

    it('finds a session that is added after an unsuccessful lookup', async () => {
      expect(await sessionCache.find('new', 'c')).to.equal(undefined);
      await opened.accounts.add(sampleAccount('new'));
      await opened.sessions.add(sampleSession('c', { userId: 'new' }), MOST);
      expect((await sessionCache.find('new', 'c'))?.account.id).to.equal('new');
    });

    it('adds no session of a deleted account or of an earlier session version', async () => {
      const { accounts, sessions } = opened;
      await accounts.save({ ...sampleAccount('user'), sessionEpoch: 1 });
      await accounts.save(tombstoneOf(sampleAccount('other'), NOW));
      for (const userId of ['user', 'other']) {
        // The maximum is reached, but no session may end for a session that is not added.
        expect(await sessions.add(sampleSession('late', { userId }), 2), userId).to.equal(false);
        expect(await sessions.find(userId, 'late')).to.equal(undefined);
      }
      expect((await sessions.list('user')).map(({ id }) => id)).to.have.members(['a', 'b']);
      expect(await sessions.add(sampleSession('new', { epoch: 1 }), MOST)).to.equal(true);
    });

    const account = sampleAccount('user');
    const writes: Readonly<Record<string, (stores: OpenedSessions) => Promise<unknown>>> = {
      'a saved account': ({ accounts }) => accounts.save({ ...account, displayName: 'New' }),
      'a removed account': ({ accounts }) => accounts.remove(account),
      'an ended session': ({ sessions }) => sessions.end('user', 'a', NOW + 1),
      'the end of all other sessions': ({ sessions }) =>
        sessions.endAll('user', { keep: 'b', beforeVersion: null }, NOW + 1),
      'a changed session': ({ sessions }) =>
        sessions.change(sampleSession('a'), sampleSession('a', { refreshDigest: 'next' })),
      'a removed session': ({ sessions }) => sessions.remove('user', 'a'),
      'a session that a newer session ended': ({ sessions }) => sessions.add(sampleSession('c'), 1),
    };
    for (const [change, write] of Object.entries(writes)) {
      it(`reflects ${change} at once, even if the session was read before`, async () => {
        const before = await sessionCache.find('user', 'a');
        expect(before).to.deep.equal({ account, session: sampleSession('a') });
        await write(opened);
        const [session, storedAccount] = await Promise.all([
          opened.sessions.find('user', 'a'),
          opened.accounts.find('user'),
        ]);
        const expected = session && storedAccount && { session, account: storedAccount };
        expect(expected).not.to.deep.equal(before);
        expect(await sessionCache.find('user', 'a')).to.deep.equal(expected);
      });
    }

    it('reflects a new cookie value at once, even if the session was read before', async () => {
      await opened.sessions.add(sampleCookieSession('d'), MOST);
      await sessionCache.find('user', 'd');
      const cookie = { digest: 'new', previousDigest: null, changedAt: NOW + 10 };
      await opened.sessions.change(sampleCookieSession('d'), sampleCookieSession('d', { cookie }));
      expect((await sessionCache.find('user', 'd'))?.session.cookie).to.deep.equal(cookie);
    });

    it('rejects ids that are not text with a `TypeError`', async () => {
      await refusesNonText((value) => sessionCache.find(value, 'a'));
      await refusesNonText((value) => sessionCache.find('user', value));
    });
  });
};
