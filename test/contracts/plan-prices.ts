import { expect } from 'chai';
import type { BillingProvider } from '../../core/billing/ports.ts';

type Prices = Pick<BillingProvider, 'prices'>;

const INTERVALS = { monthly: 'month', yearly: 'year' } as const;

/** The rules of `BillingProvider.prices`, for a provider that sells `plans` (`plan cycle`), in any order. */
export const planPricesContract = (
  name: string,
  given: { readonly open: () => Promise<Prices> | Prices; readonly plans: readonly string[] },
): void => {
  describe(`BillingProvider.prices: ${name}`, () => {
    const prices = async () => (await given.open()).prices();

    it('has each plan and cycle that is sold once', async () => {
      const found = (await prices()).map(({ plan, billingCycle }) => `${plan} ${billingCycle}`);
      expect(found).to.have.members([...given.plans]);
    });

    it('has whole cents of a currency for the interval of the cycle, and a name', async () => {
      const found = await prices();
      expect(found).to.have.length(given.plans.length);
      for (const { billingCycle, productName, amount, currency, interval } of found) {
        expect(Number.isSafeInteger(amount) && amount >= 0, `amount ${amount}`).to.equal(true);
        expect(currency).to.match(/^[a-z]{3}$/);
        expect(interval).to.equal(INTERVALS[billingCycle]);
        expect(productName).to.match(/\S/);
      }
    });

    it('is the same when nothing has changed', async () => {
      const opened = await given.open();
      expect(await opened.prices()).to.deep.equal(await opened.prices());
    });
  });
};
