import { expect } from 'chai';
import type { KeyValueStore } from '../../core/key-value-store.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';

export const keyValueStoreContract = (name: string, open: () => Promise<Opened<KeyValueStore>>): void => {
  describe(`${name} as a key-value store`, () => {
    const store = storeForEachTest(open);

    it('is empty when it is new, and finds each value under its key', async () => {
      expect(await store.find('one')).to.equal(undefined);
      const value = { list: [['key', 1]], nothing: null, 'a.b': { $c: 'Zoë' } };
      expect(await store.put('one', value, 0)).to.equal(true);
      expect(await store.put('other', { n: 2 }, 0)).to.equal(true);
      expect(await store.find('one')).to.deep.equal({ value, version: 1 });
      expect(await store.find('other')).to.deep.equal({ value: { n: 2 }, version: 1 });
    });

    it('replaces a value only at the version that was read', async () => {
      await store.put('one', { n: 1 }, 0);
      expect(await store.put('one', { n: 2 }, 0)).to.equal(false);
      expect(await store.put('one', { n: 2 }, 1)).to.equal(true);
      expect(await store.put('one', { n: 3 }, 1)).to.equal(false);
      expect(await store.put('none', { n: 3 }, 1)).to.equal(false);
      expect(await store.find('one')).to.deep.equal({ value: { n: 2 }, version: 2 });
      expect(await store.find('none')).to.equal(undefined);
    });

    it('stores exactly one of many concurrent values for the same version', () =>
      inRounds(async (round) => {
        const outcomes = await race(20, (place) => store.put('one', { place }, round - 1));
        expect(outcomes.filter((isPut) => isPut)).to.have.lengthOf(1);
        const newest = await store.find<{ place: number }>('one');
        expect(newest?.version).to.equal(round);
        expect(newest?.value.place).to.equal(outcomes.indexOf(true));
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await refusesNonText((value) => store.find(value));
      await refusesNonText((value) => store.put(value, {}, 0));
      await refusesNonNumbers((value) => store.put('one', {}, value));
    });
  });
};
