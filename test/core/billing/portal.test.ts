import { expect } from 'chai';
import { CoreError } from '../../../core/errors.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const NOW = Date.UTC(2026, 0, 1);
const named = { userId: USER, customerId: 'customer' };

describe('The portal', () => {
  let opened: OpenedBilling;
  beforeEach(async () => {
    opened = openBilling();
    await opened.addUser();
  });

  const deliver = async (event: ReturnType<typeof customerEvent>) => {
    await opened.deliver(event);
    await opened.settle();
  };
  const portal = () =>
    opened.billing.openPortal(USER).then(
      () => 'open',
      (error: unknown) => (error instanceof CoreError ? error.code : error),
    );

  it('is open to whom the provider has as a customer, until it deletes that', async () => {
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', named, NOW));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', named, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
    await deliver(customerEvent('created', { ...named, customerId: 'another' }, NOW + 2));
    expect(await portal()).to.equal('open');
  });

  it('is open to a customer who has bought since an older deletion', async () => {
    await deliver(subscriptionEvent('active', newSubscription(named, NOW), NOW));
    await deliver(customerEvent('deleted', named, NOW - 1));
    expect(await portal()).to.equal('open');
    await deliver(customerEvent('deleted', named, NOW + 1));
    expect(await portal()).to.equal('no_billing_customer');
  });
});
