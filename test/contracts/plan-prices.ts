import { expect } from 'chai';
import type { BillingProvider } from '../../core/billing/ports.ts';

type Prices = Pick<BillingProvider, 'prices'>;

const INTERVALS = { monthly: 'month', yearly: 'year' } as const;

/** The rules of `BillingProvider.prices`, for a provider that sells `plans` (`plan cycle`), in any order. */
export const planPricesContract = (
  name: string,
  provider: { readonly open: () => Promise<Prices> | Prices; readonly plans: readonly string[] },
): void => {
  describe(`BillingProvider.prices: ${name}`, () => {
    const listPrices = async () => (await provider.open()).prices();

    it('lists each plan and cycle that is sold once', async () => {
      const sold = (await listPrices()).map(({ plan, billingCycle }) => `${plan} ${billingCycle}`);
      expect(sold).to.have.members([...provider.plans]);
    });

    it('lists whole cents of a currency, the interval of the cycle and a product name', async () => {
      const prices = await listPrices();
      expect(prices).to.have.length(provider.plans.length);
      for (const { billingCycle, productName, amount, currency, interval } of prices) {
        expect(Number.isSafeInteger(amount) && amount >= 0, `amount ${amount}`).to.equal(true);
        expect(currency).to.match(/^[a-z]{3}$/);
        expect(interval).to.equal(INTERVALS[billingCycle]);
        expect(productName).to.match(/\S/);
      }
    });

    it('returns equal prices in two consecutive calls', async () => {
      const opened = await provider.open();
      expect(await opened.prices()).to.deep.equal(await opened.prices());
    });
  });
};
