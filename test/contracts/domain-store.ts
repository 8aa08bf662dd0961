import { expect } from 'chai';
import type { DomainRecord, DomainStore } from '../../core/accounts/custom-domain/domain-record.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

/** Later than any due check, unless a test passes another time. */
const LATEST = Number.MAX_SAFE_INTEGER;

const sample = (domain: string, differences: Partial<DomainRecord> = {}): DomainRecord => ({
  domain,
  revision: 'first',
  owner: null,
  claims: [{ userId: 'user', token: 'token', at: NOW, enteredAt: NOW }],
  lookAt: NOW,
  ...differences,
});

export const domainStoreContract = (name: string, open: () => Promise<Opened<DomainStore>>): void => {
  describe(`${name} as a domain store`, () => {
    const store = storeForEachTest(open);

    it('finds a domain by its exact name, with all members of its record', async () => {
      const record = sample('xn--bcher-kva.dev', {
        owner: { userId: 'user', token: 'token', failedDays: 3 },
        claims: [
          { userId: 'user', token: 'token', at: NOW, enteredAt: NOW },
          { userId: 'other', token: 'another', at: NOW + 1, enteredAt: NOW + 2 },
        ],
      });
      expect(await store.add(record)).to.equal(true);
      expect(await store.find(record.domain)).to.deep.equal(record);
      for (const domain of ['', 'dev', 'a.xn--bcher-kva.dev', 'XN--BCHER-KVA.dev']) {
        expect(await store.find(domain)).to.equal(undefined);
      }
    });

    it('refuses a second record of a domain and keeps the first', async () => {
      await store.add(sample('a.dev'));
      expect(await store.add(sample('a.dev', { revision: 'second', claims: [] }))).to.equal(false);
      expect(await store.find('a.dev')).to.deep.equal(sample('a.dev'));
      expect(await store.add(sample('b.dev'))).to.equal(true);
    });

    it('replaces a record only at the revision that was read', async () => {
      await store.add(sample('a.dev'));
      await store.add(sample('b.dev'));
      const next = sample('a.dev', { revision: 'second', lookAt: NOW + 5 });
      expect(await store.save(next, 'other')).to.equal(false);
      expect(await store.find('a.dev')).to.deep.equal(sample('a.dev'));
      expect(await store.save(next, 'first')).to.equal(true);
      expect(await store.find('a.dev')).to.deep.equal(next);
      expect(await store.save({ ...next, revision: 'third' }, 'first')).to.equal(false);
      expect(await store.save(sample('c.dev'), 'first')).to.equal(false);
      expect(await store.find('c.dev')).to.equal(undefined);
      expect(await store.find('b.dev')).to.deep.equal(sample('b.dev'));
    });

    it('removes a record only at the revision that was read', async () => {
      await store.add(sample('a.dev'));
      await store.add(sample('b.dev'));
      expect(await store.remove('a.dev', 'other')).to.equal(false);
      expect(await store.remove('a.dev', 'first')).to.equal(true);
      expect(await store.remove('a.dev', 'first')).to.equal(false);
      expect(await store.find('a.dev')).to.equal(undefined);
      expect(await store.find('b.dev')).to.deep.equal(sample('b.dev'));
    });

    it('does not mistake a new record of a domain for the removed record', async () => {
      await store.add(sample('a.dev'));
      await store.remove('a.dev', 'first');
      await store.add(sample('a.dev', { revision: 'anew' }));
      expect(await store.save(sample('a.dev', { revision: 'second' }), 'first')).to.equal(false);
      expect(await store.remove('a.dev', 'first')).to.equal(false);
      expect((await store.find('a.dev'))?.revision).to.equal('anew');
    });

    it('lists the domains with a due check, longest due first', async () => {
      for (const [name, lookAt] of Object.entries({ a: 30, b: 10, c: 20, d: 40 })) {
        await store.add(sample(`${name}.dev`, { lookAt }));
      }
      const listDueDomains = async (now: number, limit: number, latest = LATEST) =>
        (await store.listDue(now, limit, latest)).map(({ domain }) => domain);
      expect(await listDueDomains(30, 10)).to.deep.equal(['b.dev', 'c.dev', 'a.dev']);
      expect(await listDueDomains(30, 2)).to.deep.equal(['b.dev', 'c.dev']);
      expect(await listDueDomains(9, 10)).to.deep.equal([]);
      // These domains were checked before the clock was set back.
      expect(await listDueDomains(10, 10, 29)).to.deep.equal(['b.dev', 'a.dev', 'd.dev']);
      expect(await listDueDomains(10, 2, 29)).to.deep.equal(['b.dev', 'a.dev']);
      expect(await listDueDomains(9, 10, 40)).to.deep.equal([]);
      await store.save(sample('b.dev', { lookAt: 50 }), 'first');
      await store.remove('c.dev', 'first');
      expect(await listDueDomains(40, 10)).to.deep.equal(['a.dev', 'd.dev']);
      expect(await store.listDue(30, 10, LATEST)).to.deep.equal([sample('a.dev', { lookAt: 30 })]);
    });

    it('lets exactly one of 50 concurrent additions, replacements or removals of a record succeed', () =>
      inRounds(async (round) => {
        const domain = `round${round}.dev`;
        const added = await race(50, (place) => store.add(sample(domain, { revision: `added ${place}` })));
        expect(added.filter(Boolean)).to.have.length(1);
        const first = `added ${added.indexOf(true)}`;
        expect((await store.find(domain))?.revision).to.equal(first);
        const saved = await race(50, (place) =>
          store.save(sample(domain, { revision: `saved ${place}` }), first),
        );
        expect(saved.filter(Boolean)).to.have.length(1);
        const second = `saved ${saved.indexOf(true)}`;
        expect((await store.find(domain))?.revision).to.equal(second);
        const outcomes = await race(50, (place) =>
          place % 2 === 0
            ? store.remove(domain, second)
            : store.save(sample(domain, { revision: `third ${place}` }), second),
        );
        expect(outcomes.filter(Boolean)).to.have.length(1);
        const winner = outcomes.indexOf(true);
        const revision = winner % 2 === 0 ? undefined : `third ${winner}`;
        expect((await store.find(domain))?.revision).to.equal(revision);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add(sample('a.dev'));
      await refusesNonText((value) => store.find(value));
      await refusesNonText((value) => store.add(sample(value)));
      await refusesNonText((value) => store.add(sample('b.dev', { revision: value })));
      await refusesNonText((value) => store.save(sample('a.dev'), value));
      await refusesNonText((value) => store.save(sample(value), 'first'));
      await refusesNonText((value) => store.remove('a.dev', value));
      await refusesNonText((value) => store.remove(value, 'first'));
      await refusesNonNumbers((value) => store.add(sample('b.dev', { lookAt: value })));
      await refusesNonNumbers((value) => store.listDue(value, 1, LATEST));
      await refusesNonNumbers((value) => store.listDue(NOW, value, LATEST));
      await refusesNonNumbers((value) => store.listDue(NOW - 1, 1, value));
      expect(await store.find('a.dev')).to.deep.equal(sample('a.dev'));
    });
  });
};
