import { expect } from 'chai';
import type { KeyValueStore } from '../../core/key-value-store.ts';
import { type Opened, storeForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';

export const keyValueStoreContract = (name: string, open: () => Promise<Opened<KeyValueStore>>): void => {
  describe(`${name} as findings`, () => {
    const findings = storeForEachTest(open);

    it('holds nothing at first, and then each by its name', async () => {
      expect(await findings.find('one')).to.equal(undefined);
      const value = { list: [['key', 1]], nothing: null, 'a.b': { $c: 'Zoë' } };
      expect(await findings.put('one', value, 0)).to.equal(true);
      expect(await findings.put('other', { n: 2 }, 0)).to.equal(true);
      expect(await findings.find('one')).to.deep.equal({ value, version: 1 });
      expect(await findings.find('other')).to.deep.equal({ value: { n: 2 }, version: 1 });
    });

    it('replaces one that is still as it was read, and no other', async () => {
      await findings.put('one', { n: 1 }, 0);
      expect(await findings.put('one', { n: 2 }, 0)).to.equal(false);
      expect(await findings.put('one', { n: 2 }, 1)).to.equal(true);
      expect(await findings.put('one', { n: 3 }, 1)).to.equal(false);
      expect(await findings.put('none', { n: 3 }, 1)).to.equal(false);
      expect(await findings.find('one')).to.deep.equal({ value: { n: 2 }, version: 2 });
      expect(await findings.find('none')).to.equal(undefined);
    });

    it('lets one of many write that write at once', () =>
      inRounds(async (round) => {
        const outcomes = await race(20, (place) => findings.put('one', { place }, round - 1));
        expect(outcomes.filter((isPut) => isPut)).to.have.lengthOf(1);
        const found = await findings.find<{ place: number }>('one');
        expect(found?.version).to.equal(round);
        expect(found?.value.place).to.equal(outcomes.indexOf(true));
      }));

    it('refuses anything but text and numbers in what it looks for', async () => {
      await refusesNonText((value) => findings.find(value));
      await refusesNonText((value) => findings.put(value, {}, 0));
      await refusesNonNumbers((value) => findings.put('one', {}, value));
    });
  });
};
