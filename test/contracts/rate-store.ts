import { expect } from 'chai';
import type { RateStore, RatesRecord } from '../../core/billing/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { race } from './race.ts';
import { NOW } from './samples.ts';

const rate = (mid: string) => ({ mid, effectiveDate: '2026-01-02' });

export const rateStoreContract = (name: string, open: () => Promise<Opened<RateStore>>): void => {
  describe(`${name} as a rate store`, () => {
    const rates = storeForEachTest(open);

    it('is empty when it is new', async () => {
      expect(await rates.read()).to.equal(undefined);
    });

    it('returns the last written record with its exact digits', async () => {
      const records: readonly RatesRecord[] = [
        { good: null, confirmedAt: 0, doubted: rate('9') },
        { good: rate('3.65210000'), confirmedAt: NOW, doubted: null },
        { good: rate('3.6521'), confirmedAt: NOW + 1, doubted: rate('40.0001') },
      ];
      for (const record of records) {
        await rates.write(record);
        expect(await rates.read()).to.deep.equal(record);
      }
    });

    it('stores one of many concurrent records as a whole', async () => {
      await race(50, (place) =>
        rates.write({ good: rate(`${place}`), confirmedAt: place, doubted: rate(`${place}`) }),
      );
      const { good, confirmedAt, doubted } = (await rates.read()) ?? {};
      expect([good, doubted]).to.deep.equal([rate(`${confirmedAt}`), rate(`${confirmedAt}`)]);
    });
  });
};
