import { expect } from 'chai';
import type { LoginKeyStore } from '../../core/accounts/login-key.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { sampleLoginKey as sample } from './samples.ts';

export const loginKeyStoreContract = (name: string, open: () => Promise<Opened<LoginKeyStore>>): void => {
  describe(`${name} as a login key store`, () => {
    const store = storeForEachTest(open);

    it('finds the record of an exact key only', async () => {
      expect(await store.add(sample('oidc:a'))).to.equal(true);
      expect(await store.find('oidc:a')).to.deep.equal(sample('oidc:a'));
      for (const key of ['', 'a', 'OIDC:A', 'oidc:a ']) expect(await store.find(key)).to.equal(undefined);
    });

    it('lists the records whose keys have a prefix, by key', async () => {
      for (const key of ['passkey:b', 'oidc:a', 'passkey:a', 'passkeys', 'passkey', 'passkey:c'])
        await store.add(sample(key));
      const list = async (prefix: string, limit: number) =>
        (await store.list(prefix, limit)).map(({ key }) => key);
      expect(await store.list('passkey:a', 1)).to.deep.equal([sample('passkey:a')]);
      expect(await list('passkey:', 10)).to.deep.equal(['passkey:a', 'passkey:b', 'passkey:c']);
      expect(await list('passkey:', 2)).to.deep.equal(['passkey:a', 'passkey:b']);
      expect(await list('PASSKEY:', 10)).to.deep.equal([]);
    });

    it('refuses a second record of a key and keeps the first', async () => {
      await store.add(sample('a'));
      for (const other of [{}, { userId: 'other' }, { mark: 'second' }])
        expect(await store.add(sample('a', other))).to.equal(false);
      expect(await store.find('a')).to.deep.equal(sample('a'));
      expect(await store.add(sample('b', { userId: 'other' }))).to.equal(true);
    });

    it('replaces a record only with the mark that was read', async () => {
      await store.add(sample('a'));
      await store.add(sample('b'));
      const next = sample('a', { userId: 'other', mark: 'second' });
      expect(await store.replace(next, 'another')).to.equal(false);
      expect(await store.replace(next, 'second')).to.equal(false);
      expect(await store.find('a')).to.deep.equal(sample('a'));
      expect(await store.replace(next, 'first')).to.equal(true);
      expect(await store.replace({ ...next, mark: 'third' }, 'first')).to.equal(false);
      expect(await store.find('a')).to.deep.equal(next);
      expect(await store.replace(sample('c'), 'first')).to.equal(false);
      expect(await store.find('c')).to.equal(undefined);
      expect(await store.find('b')).to.deep.equal(sample('b'));
    });

    it('removes a record only with its mark', async () => {
      await store.add(sample('a'));
      await store.add(sample('b'));
      await store.remove({ key: 'a', mark: 'another' });
      await store.remove({ key: 'c', mark: 'first' });
      expect(await store.find('a')).to.deep.equal(sample('a'));
      await store.remove({ key: 'a', mark: 'first' });
      await store.remove({ key: 'a', mark: 'first' });
      expect(await store.find('a')).to.equal(undefined);
      expect(await store.find('b')).to.deep.equal(sample('b'));
    });

    it('adds a key again after its removal, and keeps it if the removal is repeated', async () => {
      await store.add(sample('a'));
      await store.remove({ key: 'a', mark: 'first' });
      const anew = sample('a', { userId: 'other', mark: 'anew' });
      expect(await store.add(anew)).to.equal(true);
      await store.remove({ key: 'a', mark: 'first' });
      expect(await store.replace(sample('a', { mark: 'late' }), 'first')).to.equal(false);
      expect(await store.find('a')).to.deep.equal(anew);
    });

    it('lets exactly one of 50 concurrent additions or replacements of a record succeed', () =>
      inRounds(async (round) => {
        const key = `round ${round}`;
        const record = (mark: string, place: number) => sample(key, { userId: `user ${place}`, mark });
        const added = await race(50, (place) => store.add(record(`added ${place}`, place)));
        expect(added.filter(Boolean)).to.have.length(1);
        const first = added.indexOf(true);
        expect(await store.find(key)).to.deep.equal(record(`added ${first}`, first));
        const replaced = await race(50, (place) =>
          store.replace(record(`replaced ${place}`, place), `added ${first}`),
        );
        expect(replaced.filter(Boolean)).to.have.length(1);
        const second = replaced.indexOf(true);
        expect(await store.find(key)).to.deep.equal(record(`replaced ${second}`, second));
      }));

    it('removes or replaces a record if both are requested concurrently, never both', () =>
      inRounds(async (round) => {
        const key = `round ${round}`;
        await store.add(sample(key));
        const next = (place: number) => sample(key, { userId: 'other', mark: `taken ${place}` });
        const taken = await race(50, async (place) => {
          if (place % 2 === 1) return store.replace(next(place), 'first');
          await store.remove({ key, mark: 'first' });
          return false;
        });
        const winners = taken.flatMap((isTaken, place) => (isTaken ? [place] : []));
        expect(winners).to.have.length.at.most(1);
        expect(await store.find(key)).to.deep.equal(winners.map(next)[0]);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add(sample('a'));
      await refusesNonText((value) => store.find(value));
      await refusesNonText((value) => store.list(value, 1));
      await refusesNonNumbers((value) => store.list('a', value));
      await refusesNonText((value) => store.add(sample(value)));
      await refusesNonText((value) => store.add(sample('b', { userId: value })));
      await refusesNonText((value) => store.add(sample('b', { mark: value })));
      await refusesNonText((value) => store.replace(sample(value), 'first'));
      await refusesNonText((value) => store.replace(sample('a', { userId: value }), 'first'));
      await refusesNonText((value) => store.replace(sample('a', { mark: value }), 'first'));
      await refusesNonText((value) => store.replace(sample('a'), value));
      await refusesNonText((value) => store.remove({ key: value, mark: 'first' }));
      await refusesNonText((value) => store.remove({ key: 'a', mark: value }));
      expect(await store.find('a')).to.deep.equal(sample('a'));
      expect(await store.find('b')).to.equal(undefined);
    });
  });
};
