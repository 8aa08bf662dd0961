import { expect } from 'chai';
import type { PlanPrice } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openBilling } from './open-billing.ts';
import { DOWN } from './provider-answers.ts';

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

/** The billing half over a provider that counts its questions. */
const open = (answerPrices: () => Promise<readonly PlanPrice[]>) => {
  let asked = 0;
  const setup = openBilling(
    {},
    {
      provider: {
        prices: async () => {
          asked += 1;
          return answerPrices();
        },
      },
    },
  );
  return { ...setup, asked: () => asked };
};

describe('The plans that can be bought', () => {
  it('are those of the settings, in their order, in złoty', async () => {
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

  it('are asked for once an hour, however many requests come', async () => {
    const { billing, asked, time } = open(async () => [pro]);
    await Promise.all(Array.from({ length: 50 }, () => billing.listPlans()));
    time.now += HOUR - 1;
    await billing.listPlans();
    expect(asked()).to.equal(1);
    time.now += 1;
    await billing.listPlans();
    expect(asked()).to.equal(2);
  });

  it('are asked for again after a clock was set back', async () => {
    const { billing, asked, time } = open(async () => [pro]);
    await billing.listPlans();
    time.now -= 10 * HOUR;
    await billing.listPlans();
    expect(asked()).to.equal(2);
  });

  it('have no price while the provider is down, which is asked again soon', async () => {
    let isDown = true;
    const { billing, asked, time, lines } = open(async () => {
      if (isDown) throw DOWN;
      return [pro];
    });
    const refused = async () => {
      expect(await rejectionOf(() => billing.listPlans())).to.include({
        kind: 'unavailable',
        code: 'price_unavailable',
        message: 'The prices are temporarily unavailable.',
      });
    };
    await refused();
    isDown = false;
    await refused();
    expect(asked()).to.equal(1);
    const failures = lines.filter(({ event }) => event === 'billing.prices_unavailable');
    expect(failures.map(({ fields }) => fields.error)).to.deep.equal([DOWN]);
    time.now += 10_000;
    expect((await billing.listPlans()).plans).to.have.length(1);
  });

  it('stay those of the last answer where an earlier request fails after it', async () => {
    let failSlowly = (_: unknown): void => undefined;
    const slowAnswer = new Promise<readonly PlanPrice[]>((_, reject) => {
      failSlowly = reject;
    });
    const answers = [slowAnswer, Promise.resolve([pro])];
    const { billing, asked, time } = open(async () => answers.shift() ?? []);
    const slow = rejectionOf(() => billing.listPlans());
    time.now += HOUR;
    await billing.listPlans();
    failSlowly(DOWN);
    expect(await slow).to.include({ code: 'price_unavailable' });
    expect((await billing.listPlans()).plans).to.have.length(1);
    expect(asked()).to.equal(2);
  });

  it('lack only those in a currency that nobody can convert, which the log names once an hour', async () => {
    const { billing, lines } = open(async () => [pro, { ...pro, billingCycle: 'yearly', currency: 'eur' }]);
    for (const _ of [1, 2]) {
      const { plans } = await billing.listPlans();
      expect(plans.map(({ billingCycle }) => billingCycle)).to.deep.equal(['monthly']);
    }
    const failures = lines.filter(({ event }) => event === 'billing.price_not_in_dollars');
    expect(failures.map(({ fields }) => fields.reason)).to.deep.equal(['pro yearly eur']);
  });
});
