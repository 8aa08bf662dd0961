import { expect } from 'chai';
import { CoreError } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';
import { BILLING_DOWN, liveSubscription, makeProvider } from './provider-answers.ts';

const NOW = Date.UTC(2026, 0, 1);
const ids = { userId: USER, customerId: 'customer' };

describe('The portal', () => {
  let setup: OpenedBilling;
  beforeEach(async () => {
    setup = openBilling();
    await setup.addUser();
  });

  const deliver = async (event: ReturnType<typeof customerEvent>) => {
    await setup.deliver(event);
    await setup.settle();
  };
  const portal = () =>
    setup.billing.openPortal(USER).then(
      () => 'open',
      (error: unknown) => (error instanceof CoreError ? error.code : error),
    );

  it('is open to a customer until the provider deletes the customer', async () => {
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', ids, NOW));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', ids, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', { ...ids, customerId: 'another' }, NOW + 2));
    expect(await portal()).to.equal('open');
  });

  it('is open to a customer who has bought after an older deletion', async () => {
    await deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await deliver(customerEvent('deleted', ids, NOW - 1));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', ids, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
  });

  it('is closed to a deleted customer who bought after the deletion of another customer', async () => {
    await deliver(customerEvent('deleted', { ...ids, customerId: 'another' }, NOW));
    await deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW + 1));
    await deliver(customerEvent('deleted', ids, NOW + 2));
    expect(await portal()).to.equal('no_billing_customer');
  });

  it('is the page of the provider for a user who has bought', async () => {
    const noCustomer = {
      kind: 'invalid',
      code: 'no_billing_customer',
      message: 'You have not bought anything yet, so there is nothing to manage.',
    };
    expect(await rejectionOf(() => setup.billing.openPortal('nobody'))).to.include(noCustomer);
    await deliver(customerEvent('created', ids, NOW));
    expect(await setup.billing.openPortal(USER)).to.deep.equal({ url: 'https://provider.example/portal' });
    const { shared } = setup;
    const { billing } = openBilling({}, { shared, provider: { portal: async () => undefined } });
    expect(await rejectionOf(() => billing.openPortal(USER))).to.include(noCustomer);
  });
});

describe('The checkout', () => {
  it('is the page of the provider for this buyer, and keeps earlier purchases', async () => {
    const orders: unknown[] = [];
    const checkout = async (...order: readonly unknown[]) => {
      orders.push(order);
      return 'https://provider.example/pay';
    };
    const setup = openBilling({}, { provider: { checkout } });
    await setup.addUser();
    await setup.deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await setup.settle();
    const selection = { plan: 'pro-lite', billingCycle: 'yearly' };
    expect(await setup.billing.checkout(USER, selection, '192.0.2.1')).to.deep.equal({
      url: 'https://provider.example/pay',
    });
    const buyer = { userId: USER, email: `${USER}@example.com`, name: 'Ada', address: '192.0.2.1' };
    expect(orders).to.deep.equal([[buyer, 'pro-lite', 'yearly']]);
    expect((await setup.account()).billing?.subscriptions).to.have.length(1);
  });

  it('grants the subscription that the provider has if its events were lost', async () => {
    const provider = makeProvider(() => NOW);
    const checkout = async () => {
      throw new CoreError('conflict', 'already_subscribed', 'There is already a subscription.');
    };
    const setup = openBilling({}, { provider: { ...provider, checkout } });
    await setup.addUser();
    const buy = () =>
      rejectionOf(() => setup.billing.checkout(USER, { plan: 'pro', billingCycle: 'monthly' }, ''));
    provider.answers.set(USER, BILLING_DOWN);
    expect(await buy()).to.include({ code: 'already_subscribed' });
    expect((await setup.account()).access.tier).to.equal('free');
    provider.answers.set(USER, { customerId: 'customer', subscriptions: [liveSubscription()] });
    expect(await buy()).to.include({ code: 'already_subscribed' });
    expect((await setup.account()).access.tier).to.equal('pro');
    expect(await setup.billing.openPortal(USER)).to.deep.equal({ url: 'https://provider.example/portal' });
  });

  for (const [userId, plan, billingCycle, kind, code, message] of [
    [USER, 'enterprise', 'monthly', 'invalid', 'invalid_plan', 'The plan must be one of pro-lite, pro.'],
    [
      ...[USER, 'pro', 'weekly', 'invalid', 'invalid_billing_cycle'],
      'The billing cycle must be monthly or yearly.',
    ],
    ['nobody', 'pro', 'monthly', 'missing', 'user_not_found', 'There is no such user.'],
  ] as const)
    it(`refuses ${plan}, ${billingCycle}, of ${userId === USER ? 'a user' : userId}: ${code}`, async () => {
      const setup = openBilling();
      await setup.addUser();
      const refusal = await rejectionOf(() => setup.billing.checkout(userId, { plan, billingCycle }, ''));
      expect(refusal).to.include({ kind, code, message });
    });
});
