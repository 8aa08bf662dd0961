import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { drop, polarSettings } from '../../../support/drop.ts';
import { newSubscription, subscriptionEvent } from '../../../support/servers/polar-events.ts';
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
  const billingRows = async (user: User) =>
    (await stores().actionsAbout(user.id)).filter((action) => action === 'billing.changed');
  /** Waits until nothing is left to be applied. */
  const settled = async () => {
    const { ledger, settled } = stores();
    await until(async () => (await ledger.count('pending')) === 0);
    await settled();
  };

  it('has one effect and one audit row, however often it comes at a time', async () => {
    const user = await service().signUp();
    const customerId = randomUUID();
    const one = newSubscription({ userId: user.id, customerId }, Date.now());
    const event = subscriptionEvent('active', one, Date.now());
    await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
    await settled();
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
});
