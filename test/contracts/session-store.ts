import { expect } from 'chai';
import type { SessionStore } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText, rejectionOf } from './rejection.ts';
import { NOW, sampleSession } from './samples.ts';
import { cookieSessionTests } from './session-store-cookies.ts';
import { sessionUsesTest } from './session-store-uses.ts';

const MOST = 20;
const DAY = 86_400_000;

export const sessionStoreContract = (name: string, open: () => Promise<Opened<SessionStore>>): void => {
  describe(`${name} as a session store`, () => {
    const store = storeForEachTest(open);

    const listIds = async (userId = 'user') => (await store.list(userId)).map(({ id }) => id);
    const listEndedIds = async (limit = 100) => (await store.listEnded(limit)).map(({ id }) => id);

    cookieSessionTests(store);
    sessionUsesTest(store);

    it('finds a session by user and id together', async () => {
      const session = sampleSession('a', { userAgent: 'curl' });
      await store.add(session, MOST);
      expect(await store.find('user', 'a')).to.deep.equal(session);
      expect(await store.find('other', 'a')).to.equal(undefined);
      expect(await store.find('user', 'b')).to.equal(undefined);
    });

    it('keeps the session that an app session was created from, also after a change', async () => {
      const givenBy = { id: 'giver', epoch: 3 };
      await store.add(sampleSession('a', { givenBy }), MOST);
      expect((await store.find('user', 'a'))?.givenBy).to.deep.equal(givenBy);
      const next = { ...sampleSession('a', { givenBy }), lastUsedAt: NOW + 1 };
      expect(await store.change(sampleSession('a', { givenBy }), next)).to.equal(true);
      expect((await store.find('user', 'a'))?.givenBy).to.deep.equal(givenBy);
    });

    it('rejects a second session with an id of the same user and keeps the first', async () => {
      await store.add(sampleSession('a'), MOST);
      await rejectionOf(() => store.add(sampleSession('a', { refreshDigest: 'other' }), MOST));
      expect(await store.find('user', 'a')).to.deep.equal(sampleSession('a'));
    });

    it('lists the sessions of a user that have not ended, newest first', async () => {
      await store.add(sampleSession('a', { createdAt: NOW + 1 }), MOST);
      await store.add(sampleSession('b', { createdAt: NOW + 3 }), MOST);
      await store.add(sampleSession('c', { createdAt: NOW + 2 }), MOST);
      await store.add(sampleSession('d', { userId: 'other' }), MOST);
      await store.end('user', 'c', NOW);
      expect(await listIds()).to.deep.equal(['b', 'a']);
    });

    it('ends the oldest sessions of a user who exceeds the maximum', async () => {
      await store.add(sampleSession('x', { userId: 'other', createdAt: NOW - 9 }), MOST);
      for (const [place, id] of ['a', 'b', 'c', 'd'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + place }), 2);
      }
      expect(await listIds()).to.deep.equal(['d', 'c']);
      expect(await listEndedIds()).to.deep.equal(['a', 'b']);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW + 2);
      expect(await listIds('other')).to.deep.equal(['x']);
    });

    it('never ends the session just added, even if the others have later times', async () => {
      const hour = 3_600_000;
      for (const [place, id] of ['a', 'b'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + hour + place }), 2);
      }
      for (const [place, id] of ['c', 'd', 'e'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + place }), 2);
        expect(await listIds())
          .to.have.lengthOf(2)
          .and.include(id);
      }
    });

    it('ends sessions in the order in which they were added, even if the clock was set back', async () => {
      for (const [id, createdAt] of Object.entries({ a: NOW + 3_600_000, b: NOW, c: NOW - 1 }))
        await store.add(sampleSession(id, { createdAt }), 2);
      expect(await listIds()).to.deep.equal(['b', 'c']);
    });

    it('does not count ended sessions towards the maximum', async () => {
      await store.add(sampleSession('a'), 2);
      await store.add(sampleSession('b', { createdAt: NOW + 1 }), 2);
      await store.end('user', 'b', NOW);
      await store.add(sampleSession('c', { createdAt: NOW + 2 }), 2);
      expect(await listIds()).to.deep.equal(['c', 'a']);
    });

    it('replaces a session only if it is unchanged since it was read', async () => {
      const session = sampleSession('a');
      await store.add(session, MOST);
      await store.add(sampleSession('b'), MOST);
      const next = {
        ...session,
        refreshDigest: 'next digest of a',
        usedTokens: [{ digest: 'digest of a', at: NOW + 10 }],
        tokensFrom: NOW + 7,
        lastUsedAt: NOW + 10,
        refreshExpiresAt: NOW + 2_000,
        authenticatedAt: NOW + 5,
        methods: ['password', 'totp'],
        address: '192.0.2.2',
        userAgent: 'Firefox "é"',
      } as const;
      expect(await store.change(session, next)).to.equal(true);
      expect(await store.find('user', 'a')).to.deep.equal(next);
      expect(await store.change(session, { ...next, address: '192.0.2.3' })).to.equal(false);
      expect(await store.find('user', 'a')).to.deep.equal(next);
      expect(await store.change(next, session)).to.equal(true);
      expect(await store.list('user')).to.deep.equal([sampleSession('b'), session]);
    });

    const otherChanges: Readonly<Record<string, Partial<Session>>> = {
      'refresh token': { refreshDigest: 'other' },
      'time of last use': { lastUsedAt: NOW + 1 },
      'time of authentication': { authenticatedAt: NOW + 1 },
      'authentication methods': { methods: ['password', 'totp'] },
    };
    for (const [field, difference] of Object.entries(otherChanges)) {
      it(`does not replace a session if another write has changed its ${field}`, async () => {
        const [session, changed] = [sampleSession('a'), sampleSession('a', difference)];
        await store.add(session, MOST);
        expect(await store.change(session, changed)).to.equal(true);
        expect(await store.change(session, { ...session, address: '192.0.2.9' })).to.equal(false);
        expect(await store.find('user', 'a')).to.deep.equal(changed);
        expect(await store.change(changed, session)).to.equal(true);
      });
    }

    it('replaces a session without authentication methods, as earlier versions stored them', async () => {
      const session = sampleSession('a', { methods: [] });
      await store.add(session, MOST);
      const authenticated = sampleSession('a', { methods: ['totp'] });
      expect(await store.change(session, authenticated)).to.equal(true);
      expect(await store.change(session, sampleSession('a'))).to.equal(false);
      expect(await store.find('user', 'a')).to.deep.equal(authenticated);
    });

    it('does not replace a session that has ended, is unknown or belongs to another user', async () => {
      const session = sampleSession('a');
      const next = { ...session, refreshDigest: 'next' };
      expect(await store.change(session, next)).to.equal(false);
      await store.add(session, MOST);
      expect(await store.change({ ...session, userId: 'other' }, next)).to.equal(false);
      await store.end('user', 'a', NOW);
      expect(await store.change(session, next)).to.equal(false);
      expect(await store.find('user', 'a')).to.deep.equal(
        sampleSession('a', { endedAt: NOW, address: '', userAgent: null }),
      );
    });

    it('stores the session version that a change sets', async () => {
      const session = sampleSession('a', { epoch: 3 });
      await store.add(session, MOST);
      await store.change(session, sampleSession('a', { epoch: 4, lastUsedAt: NOW + 1 }));
      await store.endAll('user', { keep: null, beforeVersion: 4 }, NOW + 20);
      expect(await store.find('user', 'a')).to.include({ epoch: 4, endedAt: null });
    });

    it('finds no session with its account if the account is unknown', async () => {
      await store.add(sampleSession('a'), MOST);
      expect(await store.findWithAccount('user', 'a')).to.equal(undefined);
      await refusesNonText((value) => store.findWithAccount(value, 'a'));
      await refusesNonText((value) => store.findWithAccount('user', value));
    });

    it('erases the address and user agent of an ended session', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id, { userAgent: 'curl' }), MOST);
      await store.add(sampleSession('d', { userAgent: 'curl', createdAt: NOW + 1 }), 3);
      await store.end('user', 'b', NOW);
      await store.endAll('user', { keep: null, beforeVersion: null }, NOW);
      const ended = await store.listEnded(10);
      expect(ended).to.have.lengthOf(4);
      for (const { address, userAgent } of ended) expect([address, userAgent]).to.deep.equal(['', null]);
    });

    it('ends a session once', async () => {
      await store.add(sampleSession('a'), MOST);
      expect(await store.end('other', 'a', NOW)).to.equal(false);
      expect(await store.end('user', 'a', NOW)).to.equal(true);
      expect(await store.end('user', 'a', NOW + 1)).to.equal(false);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW);
    });

    it('changes and ends a session whose user agent has NUL, controls or half a surrogate pair', async () => {
      const session = sampleSession('a', { userAgent: 'NUL \0, half a pair \ud83e, \u0001 and \\u0000' });
      await store.add(session, MOST);
      expect(await store.change(session, { ...session, lastUsedAt: NOW + 1 })).to.equal(true);
      expect(await store.listUses(null, 9)).to.have.lengthOf(1);
      expect(await store.end('user', 'a', NOW + 2)).to.equal(true);
    });

    it('ends all sessions of a user except the one to keep', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id), MOST);
      await store.add(sampleSession('d', { userId: 'other' }), MOST);
      await store.end('user', 'a', NOW);
      expect(await store.endAll('user', { keep: 'b', beforeVersion: null }, NOW + 1)).to.equal(1);
      expect(await listIds()).to.deep.equal(['b']);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW);
      expect(await store.endAll('user', { keep: null, beforeVersion: null }, NOW + 1)).to.equal(1);
      expect(await listIds('other')).to.deep.equal(['d']);
    });

    it('ends only sessions of an earlier session version if a version is passed', async () => {
      for (const [epoch, id] of ['a', 'b', 'c'].entries())
        await store.add(sampleSession(id, { epoch }), MOST);
      expect(await store.endAll('user', { keep: 'a', beforeVersion: 2 }, NOW)).to.equal(1);
      expect(await listEndedIds()).to.deep.equal(['b']);
    });

    it('lists ended sessions, earliest end first, until they are removed', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id), MOST);
      await store.end('user', 'b', NOW + 1);
      await store.end('user', 'a', NOW + 2);
      expect(await listEndedIds()).to.deep.equal(['b', 'a']);
      expect(await listEndedIds(1)).to.deep.equal(['b']);
      await store.remove('other', 'b');
      await store.remove('user', 'b');
      expect(await listEndedIds()).to.deep.equal(['a']);
      expect(await store.find('user', 'b')).to.equal(undefined);
    });

    it('sweeps sessions a day after they expire, but leaves ended sessions', async () => {
      await store.add(sampleSession('a'), MOST);
      await store.add(sampleSession('b', { endsAt: NOW + 500 }), MOST);
      await store.add(
        sampleSession('c', { refreshExpiresAt: NOW + 1_001 + DAY, endsAt: NOW + 9 * DAY }),
        MOST,
      );
      await store.add(sampleSession('d'), MOST);
      await store.end('user', 'd', NOW);
      expect(await store.sweep(NOW + 499, 10)).to.equal(0);
      expect(await store.sweep(NOW + 1_000 + DAY, 1)).to.equal(1);
      expect(await store.sweep(NOW + 1_000 + DAY, 10)).to.equal(1);
      expect(await listIds()).to.deep.equal(['c']);
      expect(await listEndedIds()).to.deep.equal(['d']);
    });

    it('sweeps a refreshed session by its new expiry', async () => {
      const session = sampleSession('a', { endsAt: NOW + 9 * DAY });
      await store.add(session, MOST);
      await store.change(session, {
        ...session,
        refreshExpiresAt: NOW + 2_000 + DAY,
        lastUsedAt: NOW + 1,
      });
      expect(await store.sweep(NOW + 1_999 + DAY, 10)).to.equal(0);
      expect(await store.sweep(NOW + 2_000 + 2 * DAY, 10)).to.equal(1);
    });

    it('lets exactly one of many concurrent changes of a session succeed', () =>
      inRounds(async (round) => {
        const session = sampleSession(`r${round}`);
        await store.add(session, 1_000);
        const nextAt = (place: number) => ({ ...session, refreshDigest: `${place}` });
        const answers = await race(50, (place) => store.change(session, nextAt(place)));
        expect(answers.filter(Boolean)).to.have.length(1);
        expect(await store.find('user', session.id)).to.deep.equal(nextAt(answers.indexOf(true)));
      }));

    it('ends a session that is changed concurrently', () =>
      inRounds(async (round) => {
        const session = sampleSession(`r${round}`);
        await store.add(session, 1_000);
        await race(2, (place) =>
          place === 0
            ? store.change(session, { ...session, refreshDigest: 'next' })
            : store.end('user', session.id, NOW),
        );
        expect(await store.find('user', session.id)).to.include({ endedAt: NOW, address: '' });
      }));

    it('keeps at most the maximum number of sessions if many are added at once', () =>
      inRounds(async (round) => {
        const userId = `user ${round}`;
        await race(50, (place) =>
          store.add(sampleSession(`${place}`, { userId, createdAt: NOW + place }), 5),
        );
        expect(await store.list(userId)).to.have.length(5);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add(sampleSession('a'), MOST);
      await refusesNonText((value) => store.find(value, 'a'));
      await refusesNonText((value) => store.find('user', value));
      await refusesNonText((value) => store.list(value));
      await refusesNonText((value) => store.add(sampleSession('b', { userId: value }), MOST));
      await refusesNonText((value) => store.add(sampleSession(value), MOST));
      const session = sampleSession('a');
      for (const field of ['userId', 'id', 'refreshDigest'] as const)
        await refusesNonText((value) => store.change({ ...session, [field]: value ?? 7 }, session));
      for (const field of ['lastUsedAt', 'authenticatedAt'] as const)
        await refusesNonNumbers((value) => store.change({ ...session, [field]: value }, session));
      await refusesNonText((value) => store.end(value, 'a', NOW));
      await refusesNonText((value) => store.end('user', value, NOW));
      await refusesNonText((value) => store.endAll(value, { keep: null, beforeVersion: null }, NOW));
      await refusesNonText((value) => store.remove(value, 'a'));
      await refusesNonText((value) => store.remove('user', value));
      await refusesNonNumbers((value) => store.listEnded(value));
      await refusesNonNumbers((value) => store.sweep(value, 1));
      await refusesNonNumbers((value) => store.sweep(NOW, value));
      expect(await store.list('user')).to.deep.equal([sampleSession('a')]);
    });
  });
};
