import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { openBilling, USER } from './open-billing.ts';
import { liveSubscription } from './provider-answers.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const ids = { userId: USER, customerId: 'customer' };

describe('The subscription of a user', () => {
  const open = async (subscription = liveSubscription()) => {
    const customer = { customerId: 'customer', subscriptions: [subscription] };
    const setup = openBilling({}, { provider: { stateOf: async () => ({ asOf: null, customer }) } });
    await setup.addUser();
    const refusal = () => rejectionOf(() => setup.billing.showSubscription(USER));
    return { ...setup, show: () => setup.billing.showSubscription(USER), refusal };
  };
  const noSubscription = {
    kind: 'missing',
    code: 'no_active_subscription',
    message: 'There is no active subscription.',
  };

  it('is shown with its period in whole seconds, and the price in złoty', async () => {
    const { show, deliver, settle } = await open();
    const sold = newSubscription({ ...ids, id: 'sold' }, NOW + 999);
    await deliver(subscriptionEvent('active', sold, NOW));
    await settle();
    const { price, ...rest } = await show();
    expect(price).to.include({ amount: 36.48, currency: 'PLN' });
    expect(rest).to.deep.equal({
      id: 'sold',
      status: 'active',
      currentPeriodStart: NOW / 1_000,
      currentPeriodEnd: (NOW + 30 * DAY) / 1_000,
      cancelAtPeriodEnd: false,
      plan: 'pro',
      billingCycle: 'monthly',
      product: { name: 'Pro' },
    });
    await deliver(subscriptionEvent('updated', { ...sold, cancelAtPeriodEnd: true }, NOW + 1));
    await settle();
    expect(await show()).to.include({ status: 'canceled', cancelAtPeriodEnd: true });
  });

  it('has no period if the provider sends none', async () => {
    const { show, billing } = await open(
      liveSubscription({ currentPeriodStart: null, currentPeriodEnd: null }),
    );
    await billing.operate.reconcile(USER);
    expect(await show()).to.include({ currentPeriodStart: null, currentPeriodEnd: null });
  });

  it('is missing for unknown users, users without purchases and users without an active plan', async () => {
    const { billing, refusal, deliver, settle } = await open();
    expect(await rejectionOf(() => billing.showSubscription('nobody'))).to.include(noSubscription);
    expect(await refusal()).to.include(noSubscription);
    await deliver(customerEvent('created', ids, NOW));
    await deliver(subscriptionEvent('paused', newSubscription({ ...ids, status: 'paused' }, NOW), NOW));
    await settle();
    expect(await refusal()).to.include(noSubscription);
  });
});
