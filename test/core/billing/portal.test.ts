import { expect } from 'chai';
import { CoreError } from '../../../core/errors.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

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

  it('is open to whom the provider has as a customer, until it deletes that', async () => {
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', ids, NOW));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', ids, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', { ...ids, customerId: 'another' }, NOW + 2));
    expect(await portal()).to.equal('open');
  });

  it('is open to a customer who has bought since an older deletion', async () => {
    await deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await deliver(customerEvent('deleted', ids, NOW - 1));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', ids, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
  });
});
