import { expect } from 'chai';
import type { Outbox, Sendable } from '../../core/outbox.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

const TO = 'someone@example.com';
/** A wait that began at `NOW`. */
const until = (time: number) => ({ from: NOW, until: time });

/** The rules of an outbox of any kind of entries; `sample` makes an entry with the given members. */
export const testOutbox = <Entry extends Sendable>(
  title: string,
  open: () => Promise<Opened<Outbox<Entry>>>,
  sample: (id: string, differences?: Partial<Sendable>) => Entry,
): void => {
  describe(title, () => {
    const store = storeForEachTest(open);

    const idsFor = async (to = TO) => (await store.listFor(to)).map(({ entry }) => entry.id);

    it('stores an entry unchanged, with no attempts and due at once', async () => {
      await store.add('user', sample('a'));
      const waiting = {
        userId: 'user',
        tries: 0,
        dueAt: NOW,
        waitsFrom: NOW,
        deadAt: null,
        lastFailure: null,
      };
      expect(await store.listFor(TO)).to.deep.equal([{ entry: sample('a'), ...waiting }]);
    });

    it('counts entries by state, each with the time of its oldest entry', async () => {
      expect(await store.count()).to.deep.equal([]);
      for (const [id, at] of Object.entries({ a: 3, b: 1, c: 2, d: 5, e: 4 }))
        await store.add('user', sample(id, { at: NOW + at }));
      for (const id of ['a', 'd']) await store.claim(id, 1);
      for (const id of ['e', 'd']) await store.bury(id, NOW, 'given_up');
      const counts = await store.count();
      expect(new Set(counts.map(({ group }) => group)).size).to.equal(1);
      const rows = counts.map(({ state, count, oldestAt }) => [state, count, oldestAt - NOW]);
      expect(rows).to.have.deep.members([
        ['waiting', 2, 1],
        ['failing', 1, 3],
        ['dead', 2, 4],
      ]);
    });

    it('adds an entry only once', async () => {
      await store.add('user', sample('a'));
      await store.claim('a', 1);
      await store.add('other', sample('a', { at: NOW + 1 }));
      expect(await store.listFor(TO)).to.have.length(1);
      expect((await store.listFor(TO))[0]).to.deep.include({
        userId: 'user',
        tries: 1,
        entry: sample('a'),
      });
    });

    it('lists the entries of an address in the order of their creation', async () => {
      await store.add('user', sample('b', { at: NOW + 1 }));
      await store.add('user', sample('d', { at: NOW }));
      await store.add('user', sample('c', { at: NOW }));
      await store.add('user', sample('x', { to: 'other@example.com' }));
      await store.postpone('c', until(NOW + 500), 'timeout');
      expect(await idsFor()).to.deep.equal(['c', 'd', 'b']);
      expect(await idsFor('nobody@example.com')).to.deep.equal([]);
    });

    it('lists each address with a due entry once, longest due first', async () => {
      for (const [id, dueAt] of Object.entries({ a: NOW + 3, b: NOW + 2, b2: NOW + 4, c: NOW + 5 })) {
        await store.add('user', sample(id, { to: `${id.slice(0, 1)}@example.com` }));
        await store.postpone(id, until(dueAt), 'timeout');
      }
      expect(await store.listDue(NOW + 1, 10)).to.deep.equal([]);
      expect(await store.listDue(NOW + 4, 10)).to.deep.equal(['b@example.com', 'a@example.com']);
      expect(await store.listDue(NOW + 5, 2)).to.deep.equal(['b@example.com', 'a@example.com']);
    });

    it('lists further addresses if many entries are due for one address', async () => {
      for (let at = 0; at < 12; at += 1) {
        await store.add('user', sample(`many${at}`, { at: NOW + Math.floor(at / 3) }));
      }
      await store.add('user', sample('late', { to: 'late@example.com', at: NOW + 9 }));
      expect(await store.listDue(NOW + 9, 1)).to.deep.equal([TO]);
      expect(await store.listDue(NOW + 9, 2)).to.deep.equal([TO, 'late@example.com']);
      expect(await store.listDue(NOW + 9, 9)).to.deep.equal([TO, 'late@example.com']);
    });

    it('treats an entry as due if its wait starts in the future because the clock was set back', async () => {
      await store.add('user', sample('a', { to: 'a@example.com' }));
      await store.add('user', sample('b', { to: 'b@example.com' }));
      await store.postpone('b', { from: NOW + 10, until: NOW + 20 }, 'timeout');
      const due = (now: number) => store.listDue(now, 10);
      expect(await due(NOW + 19)).to.deep.equal(['a@example.com']);
      expect(await due(NOW + 10)).to.deep.equal(['a@example.com']);
      expect(await due(NOW + 9)).to.deep.equal(['a@example.com', 'b@example.com']);
      expect(await due(NOW - 1)).to.deep.equal(['a@example.com', 'b@example.com']);
      await store.bury('b', NOW, 'refused');
      expect(await due(NOW - 1)).to.deep.equal(['a@example.com']);
      expect((await store.listFor('a@example.com'))[0]).to.include({ dueAt: NOW, waitsFrom: NOW });
    });

    it('counts an attempt with each claim and stores the last failure', async () => {
      await store.add('user', sample('a'));
      for (const [place, failure] of ['timeout', 'busy'].entries()) {
        expect(await store.claim('a', 1)).to.equal(true);
        await store.postpone('a', until(NOW + 100 * (place + 1)), failure);
      }
      const [waiting] = await store.listFor(TO);
      expect(waiting).to.deep.include({ tries: 2, dueAt: NOW + 200, lastFailure: 'busy' });
      expect(await store.listDue(NOW + 199, 10)).to.deep.equal([]);
    });

    it('refuses a claim with a lower fence than an earlier claim of the entry', async () => {
      await store.add('user', sample('a'));
      await store.add('user', sample('b'));
      expect(await store.claim('a', 2)).to.equal(true);
      expect(await store.claim('a', 1)).to.equal(false);
      expect(await store.claim('a', 2)).to.equal(true);
      expect(await store.claim('a', 3)).to.equal(true);
      expect(await store.claim('a', 2)).to.equal(false);
      expect(await store.claim('b', 1)).to.equal(true);
      expect((await store.listFor(TO)).map(({ tries }) => tries)).to.deep.equal([3, 1]);
    });

    it('refuses a claim of an entry that is sent, dead or unknown', async () => {
      await store.add('user', sample('a'));
      await store.add('user', sample('b'));
      await store.remove('a');
      await store.bury('b', NOW, 'refused');
      for (const id of ['a', 'b', 'c']) expect(await store.claim(id, 9)).to.equal(false);
      expect(await idsFor()).to.deep.equal([]);
      expect(await store.listDue(NOW + 1_000, 10)).to.deep.equal([]);
    });

    it('does not revive a dead entry that is postponed', async () => {
      await store.add('user', sample('a'));
      await store.bury('a', NOW, 'refused');
      await store.postpone('a', until(NOW), 'timeout');
      expect(await idsFor()).to.deep.equal([]);
    });

    it('lists all entries by id in pages, including dead entries', async () => {
      for (const id of ['c', 'a', 'd', 'b']) await store.add('user', sample(id, { to: `${id}@example.com` }));
      await store.bury('b', NOW, 'refused');
      const ids = async (after: string | null, limit: number) =>
        (await store.list(after, limit)).map(({ entry }) => entry.id);
      expect(await ids(null, 10)).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await ids('a', 2)).to.deep.equal(['b', 'c']);
      expect(await ids('d', 2)).to.deep.equal([]);
      expect((await store.list('a', 1))[0]).to.deep.include({ deadAt: NOW, lastFailure: 'refused' });
    });

    it('makes one entry or all entries due again, including dead entries', async () => {
      for (const id of ['a', 'b', 'c']) await store.add('user', sample(id));
      await store.claim('a', 1);
      await store.postpone('a', until(NOW + 900), 'timeout');
      await store.bury('b', NOW, 'refused');
      expect(await store.retry('x', NOW + 1)).to.equal(0);
      expect(await idsFor()).to.deep.equal(['a', 'c']);
      expect(await store.retry('b', NOW + 1)).to.equal(1);
      expect(await idsFor()).to.deep.equal(['a', 'b', 'c']);
      expect((await store.listFor(TO))[0]).to.deep.include({ dueAt: NOW + 900 });
      expect(await store.retry(null, NOW + 2)).to.equal(3);
      const [retried] = await store.listFor(TO);
      expect(retried).to.deep.include({ dueAt: NOW + 2, tries: 1, lastFailure: 'timeout' });
    });

    it('adds exactly one of many concurrent entries with the same id', () =>
      inRounds(async (round) => {
        const to = `${round}@example.com`;
        await race(50, (place) => store.add(`${place}`, sample(`r${round}`, { to })));
        expect(await store.listFor(to)).to.have.length(1);
      }));

    it('grants the highest of many concurrent claims, and no lower claim after it', () =>
      inRounds(async (round) => {
        const id = `r${round}`;
        await store.add('user', sample(id, { to: `${round}@example.com` }));
        const granted: number[] = [];
        await race(50, async (place) => {
          const fence = ((place * 37) % 50) + 1;
          if (await store.claim(id, fence)) granted.push(fence);
        });
        expect(granted).to.include(50);
        expect(await store.claim(id, 49)).to.equal(false);
        expect((await store.listFor(`${round}@example.com`))[0]?.tries).to.equal(granted.length);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add('user', sample('a'));
      await refusesNonText((value) => store.add(value, sample('b')));
      await refusesNonText((value) => store.add('user', sample(value)));
      await refusesNonText((value) => store.add('user', sample('b', { to: value })));
      await refusesNonText((value) => store.listFor(value));
      await refusesNonText((value) => store.claim(value, 1));
      await refusesNonText((value) => store.remove(value));
      await refusesNonText((value) => store.postpone(value, until(NOW), 'timeout'));
      await refusesNonText((value) => store.bury(value, NOW, 'refused'));
      await refusesNonNumbers((value) => store.listDue(value, 1));
      await refusesNonNumbers((value) => store.listDue(NOW, value));
      await refusesNonNumbers((value) => store.claim('a', value));
      await refusesNonNumbers((value) => store.postpone('a', until(value), 'timeout'));
      await refusesNonNumbers((value) => store.postpone('a', { from: value, until: NOW }, 'timeout'));
      await refusesNonNumbers((value) => store.bury('a', value, 'refused'));
      expect((await store.listFor(TO))[0]).to.deep.include({ tries: 0, dueAt: NOW });
    });
  });
};
