import { expect } from 'chai';
import type { Pending } from '../../../core/accounts/outbox-entries.ts';
import { unavailable } from '../../../core/index.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058';
const ids = { userId: USER, customerId: 'customer' };
const by = { actor: 'operator:cli' };

/** The pending tasks with their failed attempts. */
const tasks = (pending: readonly Pending[]) =>
  pending.map((entry) =>
    entry.kind === 'task' ? [entry.task, entry.retry?.tries] : [entry.kind, undefined],
  );

describe('A deleted user', () => {
  let setup: OpenedBilling;
  let isDown = true;
  let requests = 0;
  let gate: Promise<void> | undefined;
  const anonymised: string[] = [];
  beforeEach(async () => {
    isDown = true;
    requests = 0;
    gate = undefined;
    anonymised.length = 0;
    setup = openBilling(
      {},
      {
        provider: {
          anonymise: async (userId) => {
            requests += 1;
            await gate;
            if (isDown) throw unavailable('billing_unavailable', 'Down.', 5);
            anonymised.push(userId);
          },
        },
      },
    );
    await setup.addUser();
  });

  const sold = newSubscription(ids, NOW);
  const deliver = async (...events: readonly ReturnType<typeof customerEvent>[]) => {
    for (const event of events) await setup.deliver(event);
    await setup.settle();
  };
  const storedEvents = async () =>
    (await setup.ledger.list({}, null, 100))
      .map(({ id, standing, type }) => ({ id, standing, hasBody: type !== null }))
      .reverse();
  const findLink = () => setup.shared.store.links.find('customer');
  const deleteUser = async () => {
    const receipt = await setup.accounts.operate.deleteUser(USER, by);
    await setup.relay();
    return receipt;
  };

  it('is exported with purchases, which the receipt of the deletion counts', async () => {
    await deliver(customerEvent('created', ids, NOW), subscriptionEvent('active', sold, NOW));
    const { user, deliveries } = await setup.accounts.operate.exportUser(USER, by);
    expect(deliveries.map(({ body }) => JSON.parse(body ?? '').data.customer?.email)).to.have.members([
      undefined,
      'buyer@example.com',
    ]);
    expect(user.billing?.customers).to.deep.equal([{ id: 'customer', deletedAt: null }]);
    expect(user.billing?.subscriptions).to.have.length(1);
    expect(user.billing?.subscriptions[0]).to.include({
      id: sold.id,
      plan: 'pro',
      status: 'active',
      amount: 999,
      currentPeriodStart: '2026-01-01T00:00:00.000Z',
      toldAt: '2026-01-01T00:00:00.000Z',
    });
    const { kept, removed } = await deleteUser();
    const counts = Object.fromEntries(removed.map(({ what, count }) => [what, count]));
    expect(counts).to.include({ customers: 1, subscriptions: 1 });
    expect(kept.map(({ where }) => where)).to.include.members(['billing', 'payment provider']);
  });

  it('leaves no body of a delivery that names them and could never be applied', async () => {
    const failing = openBilling(
      {
        subscribers: {
          ...setup.accounts.subscribers,
          change: () => Promise.reject(new Error('In conflict.')),
        },
      },
      { shared: setup.shared },
    );
    await deliver(customerEvent('created', ids, NOW));
    await failing.deliver(subscriptionEvent('active', sold, NOW, 'failed'));
    await failing.settle();
    failing.time.now += 25 * HOUR;
    await failing.settle();
    expect(await storedEvents()).to.deep.include({ id: 'failed', standing: 'dead', hasBody: true });
    await deleteUser();
    expect(await storedEvents()).to.deep.include({ id: 'failed', standing: 'ignored', hasBody: false });
  });

  it('leaves only the ids of deliveries, whether these were applied, dead or pending', async () => {
    await deliver(
      subscriptionEvent('active', sold, NOW, '1 applied'),
      subscriptionEvent('active', { ...sold, productId: 'unknown' }, NOW, '2 dead'),
    );
    await setup.deliver(subscriptionEvent('updated', sold, NOW, '3 pending'));
    await deleteUser();
    await deliver(
      customerEvent('deleted', ids, NOW + 1),
      subscriptionEvent('active', { ...sold, productId: 'unknown' }, NOW + 1, '4 late'),
    );
    expect(await storedEvents()).to.deep.include.members(
      ['1 applied', '2 dead', '3 pending', '4 late'].map((id) => ({
        id,
        standing: 'ignored',
        hasBody: false,
      })),
    );
    expect((await storedEvents()).map(({ hasBody }) => hasBody)).to.deep.equal(Array(5).fill(false));
    expect(await findLink()).to.equal(undefined);
    expect((await setup.account()).billing).to.equal(null);
    expect(await setup.billing.operate.replay(null)).to.deep.equal({ replayed: 0, left: 0 });
  });

  it('is erased locally at once, and at the provider once it is back', async () => {
    await deliver(subscriptionEvent('active', sold, NOW));
    await setup.addUser(OTHER);
    const { outstanding } = await deleteUser();
    await setup.accounts.operate.setTier(OTHER, { tier: 'pro' }, by);
    await setup.relay();

    expect(outstanding).to.deep.equal(['erase-billing']);
    expect((await storedEvents()).map(({ hasBody }) => hasBody)).to.deep.equal([false]);
    expect(await findLink()).to.equal(undefined);
    const pending = (await setup.account()).pending;
    expect(tasks(pending)).to.deep.equal([
      ['erase-billing', 1],
      ['erase-billing', 0],
    ]);
    expect(setup.events.map(({ type, userId }) => [type, userId])).to.deep.include.members([
      ['user.deleted', USER],
      ['entitlement.changed', OTHER],
    ]);
    isDown = false;
    setup.time.now += 1_500;
    await setup.relay();
    expect(anonymised).to.deep.equal([USER]);
    expect(tasks((await setup.account()).pending)).to.deep.equal([['erase-billing', 0]]);
    setup.time.now += 5 * 60_000;
    await setup.relay();
    expect(anonymised).to.deep.equal([USER, USER]);
    expect((await setup.account()).pending).to.deep.equal([]);
  });

  it('does not delay other users while the provider hangs, and causes only one request', async () => {
    await deliver(subscriptionEvent('active', sold, NOW));
    await setup.addUser(OTHER);
    await setup.accounts.operate.deleteUser(USER, by);
    [isDown, requests] = [false, 0];
    setup.time.now += 1_500;
    let release: () => void = () => expect.fail('No request hangs.');
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const first = setup.accounts.background.relay();
    await until(() => requests === 1);
    await setup.accounts.operate.setTier(OTHER, { tier: 'pro' }, by);
    const second = setup.accounts.background.relay();
    await until(async () => (await setup.account(OTHER)).pending.length === 0);
    expect([requests, anonymised]).to.deep.equal([1, []]);
    release();
    await Promise.all([first, second]);
    expect([requests, anonymised]).to.deep.equal([1, [USER]]);
    expect(tasks((await setup.account()).pending)).to.deep.equal([['erase-billing', 0]]);
  });

  it('is erased at the provider after a checkout only', async () => {
    isDown = false;
    await setup.addUser(OTHER);
    await setup.billing.checkout(USER, { plan: 'pro', billingCycle: 'monthly' }, '192.0.2.1');
    await deleteUser();
    await setup.accounts.operate.deleteUser(OTHER, by);
    await setup.relay();
    expect(anonymised).to.deep.equal([USER]);
  });
});
