import { expect } from 'chai';
import type { RateStore, RatesRecord } from '../../core/billing/ports.ts';
import { type Opened, storeForEachTest } from './opened.ts';
import { race } from './race.ts';
import { NOW } from './samples.ts';

const rate = (mid: string) => ({ mid, effectiveDate: '2026-01-02' });

export const rateStoreContract = (name: string, open: () => Promise<Opened<RateStore>>): void => {
  describe(`${name} as a rate store`, () => {
    const rates = storeForEachTest(open);

    it('holds nothing at first', async () => {
      expect(await rates.read()).to.equal(undefined);
    });

    it('gives back what was written last, digit by digit', async () => {
      const written: readonly RatesRecord[] = [
        { good: null, confirmedAt: 0, doubted: rate('9') },
        { good: rate('3.65210000'), confirmedAt: NOW, doubted: null },
        { good: rate('3.6521'), confirmedAt: NOW + 1, doubted: rate('40.0001') },
      ];
      for (const one of written) {
        await rates.write(one);
        expect(await rates.read()).to.deep.equal(one);
      }
    });

    it('holds one of many that are written at once, as a whole', async () => {
      await race(50, (place) =>
        rates.write({ good: rate(`${place}`), confirmedAt: place, doubted: rate(`${place}`) }),
      );
      const { good, confirmedAt, doubted } = (await rates.read()) ?? {};
      expect([good, doubted]).to.deep.equal([rate(`${confirmedAt}`), rate(`${confirmedAt}`)]);
    });
  });
};
