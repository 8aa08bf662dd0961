import { expect } from 'chai';
import type { SessionStore } from '../../core/accounts/ports.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText, rejectionOf } from './rejection.ts';
import { NOW, sampleRotation, sampleSession } from './samples.ts';
import { cookieSessionTests } from './session-store-cookies.ts';
import { sessionUsesTest } from './session-store-uses.ts';

interface Opened {
  readonly store: SessionStore;
  close(): Promise<void>;
}

const MOST = 20;

export const sessionStoreContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as a session store`, () => {
    let opened: Opened;
    let store: SessionStore;

    const listed = async (userId = 'user') => (await store.list(userId)).map(({ id }) => id);
    const endedIds = async (limit = 100) => (await store.listEnded(limit)).map(({ id }) => id);

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });

    afterEach(() => opened.close());

    cookieSessionTests(() => store);
    sessionUsesTest(() => store);

    it('finds a session by user and id together', async () => {
      const session = sampleSession('a', { userAgent: 'curl' });
      await store.add(session, MOST);
      expect(await store.find('user', 'a')).to.deep.equal(session);
      expect(await store.find('other', 'a')).to.equal(undefined);
      expect(await store.find('user', 'b')).to.equal(undefined);
    });

    it('knows which session gave an app its own, after a rotation, too', async () => {
      const givenBy = { id: 'giver', epoch: 3 };
      await store.add(sampleSession('a', { givenBy }), MOST);
      expect((await store.find('user', 'a'))?.givenBy).to.deep.equal(givenBy);
      expect((await store.rotate(sampleRotation('a')))?.givenBy).to.deep.equal(givenBy);
      expect((await store.find('user', 'a'))?.givenBy).to.deep.equal(givenBy);
    });

    it('refuses a second session with an id of the same user and keeps the first', async () => {
      await store.add(sampleSession('a'), MOST);
      await rejectionOf(() => store.add(sampleSession('a', { refreshDigest: 'other' }), MOST));
      expect(await store.find('user', 'a')).to.deep.equal(sampleSession('a'));
    });

    it('lists the sessions of a user that are not ended, newest first', async () => {
      await store.add(sampleSession('a', { createdAt: NOW + 1 }), MOST);
      await store.add(sampleSession('b', { createdAt: NOW + 3 }), MOST);
      await store.add(sampleSession('c', { createdAt: NOW + 2 }), MOST);
      await store.add(sampleSession('d', { userId: 'other' }), MOST);
      await store.end('user', 'c', NOW);
      expect(await listed()).to.deep.equal(['b', 'a']);
    });

    it('ends the oldest sessions of a user who has more than allowed', async () => {
      await store.add(sampleSession('x', { userId: 'other', createdAt: NOW - 9 }), MOST);
      for (const [place, id] of ['a', 'b', 'c', 'd'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + place }), 2);
      }
      expect(await listed()).to.deep.equal(['d', 'c']);
      expect(await endedIds()).to.deep.equal(['a', 'b']);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW + 2);
      expect(await listed('other')).to.deep.equal(['x']);
    });

    it('never ends the session just added, though the others seem younger by a clock that was set back', async () => {
      const hour = 3_600_000;
      for (const [place, id] of ['a', 'b'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + hour + place }), 2);
      }
      for (const [place, id] of ['c', 'd', 'e'].entries()) {
        await store.add(sampleSession(id, { createdAt: NOW + place }), 2);
        expect(await listed())
          .to.have.lengthOf(2)
          .and.include(id);
      }
    });

    it('does not count ended sessions among those a user may have', async () => {
      await store.add(sampleSession('a'), 2);
      await store.add(sampleSession('b', { createdAt: NOW + 1 }), 2);
      await store.end('user', 'b', NOW);
      await store.add(sampleSession('c', { createdAt: NOW + 2 }), 2);
      expect(await listed()).to.deep.equal(['c', 'a']);
    });

    it('rotates the presented digest and remembers it as used', async () => {
      await store.add(sampleSession('a'), MOST);
      const rotated = {
        ...sampleSession('a'),
        refreshDigest: 'next digest of a',
        usedTokens: [{ digest: 'digest of a', at: NOW + 10 }],
        lastUsedAt: NOW + 10,
        refreshExpiresAt: NOW + 2_000,
        address: '192.0.2.2',
        userAgent: 'Firefox "é"',
      };
      expect(await store.rotate(sampleRotation('a'))).to.deep.equal(rotated);
      expect(await store.find('user', 'a')).to.deep.equal(rotated);
    });

    it('rotates each digest once, and its successor after it', async () => {
      await store.add(sampleSession('a'), MOST);
      const next = sampleRotation('a', { presented: 'next digest of a', next: 'third', userAgent: null });
      expect(await store.rotate(next)).to.equal(undefined);
      await store.rotate(sampleRotation('a'));
      expect(await store.rotate(sampleRotation('a'))).to.equal(undefined);
      expect(await store.rotate(next)).to.deep.include({
        usedTokens: [
          { digest: 'next digest of a', at: NOW + 10 },
          { digest: 'digest of a', at: NOW + 10 },
        ],
        userAgent: null,
      });
    });

    it('remembers the token used last, and of the others as many and as old ones as it is told', async () => {
      await store.add(sampleSession('a', { refreshDigest: '0', refreshExpiresAt: NOW + 900 }), MOST);
      const rotate = async (place: number, now: number) => {
        const next = { presented: `${place}`, next: `${place + 1}`, now };
        const rotated = await store.rotate(sampleRotation('a', next));
        return rotated?.usedTokens.map(({ digest }) => digest);
      };
      expect(await rotate(0, NOW)).to.deep.equal(['0']);
      expect(await rotate(1, NOW + 100)).to.deep.equal(['1', '0']);
      expect(await rotate(2, NOW + 101)).to.deep.equal(['2', '1']);
      expect(await rotate(3, NOW + 102)).to.deep.equal(['3', '2', '1']);
      expect(await rotate(4, NOW + 103)).to.deep.equal(['4', '3', '2']);
      expect(await rotate(5, NOW + 900)).to.deep.equal(['5']);
    });

    it('ends earlier access tokens with a rotation that says so, and keeps that', async () => {
      await store.add(sampleSession('a'), MOST);
      expect(await store.rotate(sampleRotation('a', { tokensFrom: NOW + 7 }))).to.include({
        tokensFrom: NOW + 7,
      });
      const next = sampleRotation('a', { presented: 'next digest of a', next: 'third' });
      expect(await store.rotate(next)).to.include({ tokensFrom: NOW + 7 });
    });

    it('takes over the epoch that a rotation gives, and keeps it', async () => {
      await store.add(sampleSession('a', { epoch: 3 }), MOST);
      expect(await store.rotate(sampleRotation('a', { epoch: 4 }))).to.include({ epoch: 4 });
      const next = sampleRotation('a', { presented: 'next digest of a', next: 'third' });
      expect(await store.rotate(next)).to.include({ epoch: 4 });
      await store.endAll('user', { keep: null, beforeVersion: 4 }, NOW + 20);
      expect(await store.find('user', 'a')).to.include({ epoch: 4, endedAt: null });
    });

    it('notes a new proof in a session that is not ended, and a rotation keeps it', async () => {
      await store.add(sampleSession('a'), MOST);
      const proof = { authenticatedAt: NOW + 5, methods: ['password', 'totp'] } as const;
      expect(await store.prove('other', 'a', proof)).to.equal(false);
      expect(await store.find('user', 'a')).to.deep.equal(sampleSession('a'));
      expect(await store.prove('user', 'a', proof)).to.equal(true);
      expect(await store.find('user', 'a')).to.deep.equal(sampleSession('a', proof));
      expect(await store.rotate(sampleRotation('a'))).to.deep.include(proof);
      await store.end('user', 'a', NOW);
      expect(await store.prove('user', 'a', proof)).to.equal(false);
    });

    it('rotates no session that is ended, expired or another user has', async () => {
      await store.add(sampleSession('a'), MOST);
      expect(await store.rotate(sampleRotation('a', { userId: 'other' }))).to.equal(undefined);
      expect(await store.rotate(sampleRotation('a', { now: NOW + 1_000 }))).to.equal(undefined);
      await store.add(sampleSession('b', { endsAt: NOW + 500 }), MOST);
      expect(await store.rotate(sampleRotation('b', { now: NOW + 500 }))).to.equal(undefined);
      await store.end('user', 'a', NOW);
      expect(await store.rotate(sampleRotation('a'))).to.equal(undefined);
      expect(await store.find('user', 'a')).to.deep.equal(
        sampleSession('a', { endedAt: NOW, address: '', userAgent: null }),
      );
    });

    it('keeps nothing of who used a session that is over', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id, { userAgent: 'curl' }), MOST);
      await store.add(sampleSession('d', { userAgent: 'curl', createdAt: NOW + 1 }), 3);
      await store.end('user', 'b', NOW);
      await store.endAll('user', { keep: null, beforeVersion: null }, NOW);
      const ended = await store.listEnded(10);
      expect(ended).to.have.lengthOf(4);
      for (const { address, userAgent } of ended) expect([address, userAgent]).to.deep.equal(['', null]);
    });

    it('refuses a rotation from the end of the session on, however far the last one reached', async () => {
      await store.add(sampleSession('a'), MOST);
      await store.rotate(sampleRotation('a', { refreshExpiresAt: NOW + 9_000 }));
      const late = sampleRotation('a', { presented: 'next digest of a', next: 'third' });
      expect(await store.rotate({ ...late, now: NOW + 5_000 })).to.equal(undefined);
      expect(await store.rotate({ ...late, now: NOW + 4_999 })).to.include({ refreshDigest: 'third' });
    });

    it('ends a session once', async () => {
      await store.add(sampleSession('a'), MOST);
      expect(await store.end('other', 'a', NOW)).to.equal(false);
      expect(await store.end('user', 'a', NOW)).to.equal(true);
      expect(await store.end('user', 'a', NOW + 1)).to.equal(false);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW);
    });

    it('ends all sessions of a user but the one to keep', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id), MOST);
      await store.add(sampleSession('d', { userId: 'other' }), MOST);
      await store.end('user', 'a', NOW);
      expect(await store.endAll('user', { keep: 'b', beforeVersion: null }, NOW + 1)).to.equal(1);
      expect(await listed()).to.deep.equal(['b']);
      expect((await store.find('user', 'a'))?.endedAt).to.equal(NOW);
      expect(await store.endAll('user', { keep: null, beforeVersion: null }, NOW + 1)).to.equal(1);
      expect(await listed('other')).to.deep.equal(['d']);
    });

    it('ends only those begun under an earlier epoch when told so', async () => {
      for (const [epoch, id] of ['a', 'b', 'c'].entries())
        await store.add(sampleSession(id, { epoch }), MOST);
      expect(await store.endAll('user', { keep: 'a', beforeVersion: 2 }, NOW)).to.equal(1);
      expect(await endedIds()).to.deep.equal(['b']);
    });

    it('lists ended sessions, the longest ended first, until they are removed', async () => {
      for (const id of ['a', 'b', 'c']) await store.add(sampleSession(id), MOST);
      await store.end('user', 'b', NOW + 1);
      await store.end('user', 'a', NOW + 2);
      expect(await endedIds()).to.deep.equal(['b', 'a']);
      expect(await endedIds(1)).to.deep.equal(['b']);
      await store.remove('other', 'b');
      await store.remove('user', 'b');
      expect(await endedIds()).to.deep.equal(['a']);
      expect(await store.find('user', 'b')).to.equal(undefined);
    });

    it('sweeps away what expired, and not an ended one whose event is not out', async () => {
      await store.add(sampleSession('a'), MOST);
      await store.add(sampleSession('b', { endsAt: NOW + 500 }), MOST);
      await store.add(sampleSession('c', { refreshExpiresAt: NOW + 3_000 }), MOST);
      await store.add(sampleSession('d'), MOST);
      await store.end('user', 'd', NOW);
      expect(await store.sweep(NOW + 499, 10)).to.equal(0);
      expect(await store.sweep(NOW + 1_000, 1)).to.equal(1);
      expect(await store.sweep(NOW + 1_000, 10)).to.equal(1);
      expect(await listed()).to.deep.equal(['c']);
      expect(await endedIds()).to.deep.equal(['d']);
    });

    it('does not sweep away a session that was refreshed', async () => {
      await store.add(sampleSession('a'), MOST);
      await store.rotate(sampleRotation('a'));
      expect(await store.sweep(NOW + 1_999, 10)).to.equal(0);
      expect(await store.sweep(NOW + 2_000, 10)).to.equal(1);
    });

    it('gives exactly one of many parallel rotations of a digest the session', () =>
      inRounds(async (round) => {
        await store.add(sampleSession(`r${round}`), 1_000);
        const answers = await race(50, (place) =>
          store.rotate(sampleRotation(`r${round}`, { next: `${place}` })),
        );
        const winners = answers.filter((answer) => answer !== undefined);
        expect(winners).to.have.length(1);
        expect(await store.find('user', `r${round}`)).to.deep.equal(winners[0]);
      }));

    it('leaves no more sessions than allowed when many begin at once', () =>
      inRounds(async (round) => {
        const userId = `user ${round}`;
        await race(50, (place) =>
          store.add(sampleSession(`${place}`, { userId, createdAt: NOW + place }), 5),
        );
        expect(await store.list(userId)).to.have.length(5);
      }));

    it('refuses anything but text and numbers in what it looks for', async () => {
      await store.add(sampleSession('a'), MOST);
      await refusesNonText((value) => store.find(value, 'a'));
      await refusesNonText((value) => store.find('user', value));
      await refusesNonText((value) => store.list(value));
      await refusesNonText((value) => store.add(sampleSession('b', { userId: value }), MOST));
      await refusesNonText((value) => store.add(sampleSession(value), MOST));
      await refusesNonText((value) => store.rotate(sampleRotation('a', { userId: value })));
      await refusesNonText((value) => store.rotate(sampleRotation('a', { sessionId: value })));
      await refusesNonText((value) => store.rotate(sampleRotation('a', { presented: value })));
      await refusesNonNumbers((value) => store.rotate(sampleRotation('a', { now: value })));
      const proof = { authenticatedAt: NOW, methods: [] };
      await refusesNonText((value) => store.prove(value, 'a', proof));
      await refusesNonText((value) => store.prove('user', value, proof));
      await refusesNonNumbers((value) => store.prove('user', 'a', { ...proof, authenticatedAt: value }));
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
