import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { drop, polarSettings } from '../../../support/drop.ts';
import {
  customerEvent,
  newSubscription,
  PRODUCTS,
  subscriptionEvent,
} from '../../../support/servers/polar-events.ts';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { useStores } from '../stores.ts';

describe('What the provider delivers', () => {
  const service = useService(polarSettings('http://127.0.0.1:9'));
  const stores = useStores(service);

  const deliver = async (event: { readonly id: string; readonly body: string }) => {
    const { status, body } = await drop(service().url, event);
    expect([status, body]).to.deep.equal([200, { received: true }]);
  };
  const me = async ({ token }: User) => (await service().request('GET', '/api/auth/me', { token })).body.user;
  const tierOf = async (user: User) => String((await me(user))?.serviceAccess?.[0]?.tier ?? 'none');
  const becomes = (user: User, tier: string) => until(async () => (await tierOf(user)) === tier);
  const billingRows = async (user: User) =>
    (await stores().actionsAbout(user.id)).filter((action) => action === 'billing.changed');
  /** Waits until nothing is left to be applied; gives how many of each standing there are. */
  const settled = async () => {
    const { ledger, settled } = stores();
    await until(async () => (await ledger.count('pending')) === 0);
    await settled();
    return { waiting: await ledger.count('waiting'), dead: await ledger.count('dead') };
  };

  it('has one effect and one audit row, however often it comes at a time', async () => {
    const user = await service().signUp();
    const customerId = randomUUID();
    const one = newSubscription({ userId: user.id, customerId }, Date.now());
    const event = subscriptionEvent('active', one, Date.now());
    await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
    await becomes(user, 'pro');
    await settled();
    expect(await billingRows(user)).to.have.length(1);
    // Another body under the id counts for nothing, and neither does the same one later.
    const other = subscriptionEvent('revoked', { ...one, status: 'canceled' }, Date.now() + 1, event.id);
    await Promise.all([deliver(other), deliver(event)]);
    await settled();
    expect(await tierOf(user)).to.equal('pro');
    expect(await billingRows(user)).to.have.length(1);
    const changed = service().events.filter(
      ({ type, userId }) => type === 'entitlement.changed' && userId === user.id,
    );
    expect(changed).to.have.length(1);
  });

  it('of an unknown user takes effect when it becomes known whose customer it is', async () => {
    const user = await service().signUp();
    const before = await settled();
    const customerId = randomUUID();
    const one = newSubscription({ userId: null, customerId }, Date.now());
    await deliver(subscriptionEvent('created', { ...one, status: 'incomplete' }, Date.now()));
    await deliver(subscriptionEvent('active', one, Date.now() + 1));
    expect((await settled()).waiting).to.equal(before.waiting + 2);
    expect(await tierOf(user)).to.equal('none');
    await deliver(customerEvent('updated', { customerId, userId: user.id }, Date.now() + 2));
    await becomes(user, 'pro');
    expect((await settled()).waiting).to.equal(before.waiting);
  });

  it('of a user there never was, or of metadata alone, changes nothing', async () => {
    const user = await service().signUp();
    const before = await settled();
    const stranger = newSubscription({ userId: randomUUID(), customerId: randomUUID() }, Date.now());
    const event = JSON.parse(
      subscriptionEvent('active', { ...stranger, userId: null, customerId: randomUUID() }, Date.now()).body,
    );
    event.data.metadata = { external_id: user.id, userId: user.id, user_id: user.id };
    event.data.customer.metadata = event.data.metadata;
    event.data.customer.email = user.email;
    await deliver(subscriptionEvent('active', stranger, Date.now()));
    await deliver({ id: randomUUID(), body: JSON.stringify(event) });
    expect((await settled()).waiting).to.equal(before.waiting + 2);
    expect(await tierOf(user)).to.equal('none');
  });

  it('of a product that no setting names is kept, and changes nothing', async () => {
    const user = await service().signUp();
    const before = await settled();
    const customerId = randomUUID();
    const one = newSubscription({ userId: user.id, customerId, productId: 'another' }, Date.now());
    await deliver(subscriptionEvent('active', one, Date.now()));
    expect((await settled()).dead).to.equal(before.dead + 1);
    expect(await tierOf(user)).to.equal('none');
    await deliver(
      subscriptionEvent('active', { ...one, productId: PRODUCTS['pro-lite'].yearly }, Date.now() + 1),
    );
    await becomes(user, 'pro-lite');
  });

  it('that cannot be read is kept, and answered as any other', async () => {
    const user = await service().signUp();
    const event = JSON.parse(
      subscriptionEvent('active', newSubscription({ userId: user.id }, 0), Date.now()).body,
    );
    delete event.data.product_id;
    await deliver({ id: randomUUID(), body: JSON.stringify(event) });
    await until(() => service().log.lines.some((line) => line.event === 'billing.event_failed'));
    expect(await tierOf(user)).to.equal('none');
    const told = JSON.stringify(service().log.lines.filter(({ event: name }) => name.startsWith('billing.')));
    expect(told).not.to.include('buyer@example.com');
  });
});
