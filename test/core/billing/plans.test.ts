import { expect } from 'chai';
import type { PlanPrice } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openBilling } from './open-billing.ts';
import { BILLING_DOWN } from './provider-answers.ts';

const HOUR = 3_600_000;

const pro: PlanPrice = {
  plan: 'pro',
  billingCycle: 'monthly',
  productName: 'Pro',
  description: 'All of it.',
  amount: 999,
  currency: 'usd',
  interval: 'month',
};

/** The billing module over a provider that counts the requests for prices. */
const open = (answerPrices: () => Promise<readonly PlanPrice[]>) => {
  let requestCount = 0;
  const setup = openBilling(
    {},
    {
      provider: {
        prices: async () => {
          requestCount += 1;
          return answerPrices();
        },
      },
    },
  );
  return { ...setup, requestCount: () => requestCount };
};

describe('The plans for sale', () => {
  it('are the configured plans in their order, in złoty', async () => {
    const { billing } = open(async () => [
      { ...pro, plan: 'of another shop' },
      { ...pro, billingCycle: 'yearly', amount: 9_990, interval: 'year' },
      pro,
      { ...pro, plan: 'pro-lite', amount: 0 },
    ]);
    const { plans } = await billing.listPlans();
    expect(
      plans.map(({ plan, billingCycle, price: { amount } }) => [plan, billingCycle, amount]),
    ).to.deep.equal([
      ['pro-lite', 'monthly', 0],
      ['pro', 'monthly', 36.48],
      ['pro', 'yearly', 364.84],
    ]);
    expect(plans[1]).to.deep.equal({
      plan: 'pro',
      billingCycle: 'monthly',
      product: { name: 'Pro', description: 'All of it.' },
      price: {
        amount: 36.48,
        currency: 'PLN',
        interval: 'month',
        exchange: { rate: 3.6521, effectiveDate: '2026-01-01', stale: false },
      },
    });
  });

  it('are requested once an hour, regardless of the number of calls', async () => {
    const { billing, requestCount, time } = open(async () => [pro]);
    await Promise.all(Array.from({ length: 50 }, () => billing.listPlans()));
    time.now += HOUR - 1;
    await billing.listPlans();
    expect(requestCount()).to.equal(1);
    time.now += 1;
    await billing.listPlans();
    expect(requestCount()).to.equal(2);
  });

  it('are requested again after the clock was set back', async () => {
    const { billing, requestCount, time } = open(async () => [pro]);
    await billing.listPlans();
    time.now -= 10 * HOUR;
    await billing.listPlans();
    expect(requestCount()).to.equal(2);
  });

  it('are unavailable while the provider is down, which receives another request soon', async () => {
    let isDown = true;
    const { billing, requestCount, time, lines } = open(async () => {
      if (isDown) throw BILLING_DOWN;
      return [pro];
    });
    const expectUnavailable = async () => {
      expect(await rejectionOf(() => billing.listPlans())).to.include({
        kind: 'unavailable',
        code: 'price_unavailable',
        message: 'The prices are temporarily unavailable.',
      });
    };
    await expectUnavailable();
    isDown = false;
    await expectUnavailable();
    expect(requestCount()).to.equal(1);
    const failures = lines.filter(({ event }) => event === 'billing.prices_unavailable');
    expect(failures.map(({ fields }) => fields.error)).to.deep.equal([BILLING_DOWN]);
    time.now += 10_000;
    expect((await billing.listPlans()).plans).to.have.length(1);
  });

  it('stay those of the last answer if an earlier request fails later', async () => {
    let failSlowly = (_: unknown): void => undefined;
    const slowAnswer = new Promise<readonly PlanPrice[]>((_, reject) => {
      failSlowly = reject;
    });
    const answers = [slowAnswer, Promise.resolve([pro])];
    const { billing, requestCount, time } = open(async () => answers.shift() ?? []);
    const slowRefusal = rejectionOf(() => billing.listPlans());
    time.now += HOUR;
    await billing.listPlans();
    failSlowly(BILLING_DOWN);
    expect(await slowRefusal).to.include({ code: 'price_unavailable' });
    expect((await billing.listPlans()).plans).to.have.length(1);
    expect(requestCount()).to.equal(2);
  });

  it('leave out only prices in another currency, which are logged once an hour', async () => {
    const { billing, lines } = open(async () => [pro, { ...pro, billingCycle: 'yearly', currency: 'eur' }]);
    for (const _ of [1, 2]) {
      const { plans } = await billing.listPlans();
      expect(plans.map(({ billingCycle }) => billingCycle)).to.deep.equal(['monthly']);
    }
    const failures = lines.filter(({ event }) => event === 'billing.price_not_in_dollars');
    expect(failures.map(({ fields }) => fields)).to.deep.equal([
      { id: 'pro', reason: 'yearly price in eur' },
    ]);
  });
});
