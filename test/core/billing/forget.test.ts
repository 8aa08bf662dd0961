import { expect } from 'chai';
import type { Pending } from '../../../core/accounts/pending.ts';
import { unavailable } from '../../../core/index.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { until } from '../../support/until.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const NOW = Date.UTC(2026, 0, 1);
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058';
const named = { userId: USER, customerId: 'customer' };
const by = { actor: 'operator:cli' };

/** What is left to be done, and how often it failed. */
const tasks = (pending: readonly Pending[]) =>
  pending.map((entry) =>
    entry.kind === 'task' ? [entry.task, entry.retry?.tries] : [entry.kind, undefined],
  );

describe('A deleted user', () => {
  let opened: OpenedBilling;
  let isDown = true;
  let asked = 0;
  let hanging: Promise<void> | undefined;
  const anonymised: string[] = [];
  beforeEach(async () => {
    isDown = true;
    asked = 0;
    hanging = undefined;
    anonymised.length = 0;
    opened = openBilling(
      {},
      {
        provider: {
          anonymise: async (userId) => {
            asked += 1;
            await hanging;
            if (isDown) throw unavailable('billing_unavailable', 'Down.', 5);
            anonymised.push(userId);
          },
        },
      },
    );
    await opened.addUser();
  });

  const sold = newSubscription(named, NOW);
  const deliver = async (...events: readonly ReturnType<typeof customerEvent>[]) => {
    for (const event of events) await opened.deliver(event);
    await opened.settle();
  };
  const kept = () =>
    [...opened.shared.kept.values()].map(({ id, standing, body }) => ({
      id,
      standing,
      hasBody: body !== null,
    }));
  const linked = () => opened.shared.store.links.find('customer');
  const remove = async () => {
    const receipt = await opened.accounts.operate.deleteUser(USER, by);
    await opened.relay();
    return receipt;
  };

  it('is exported with what was bought, and counted in the receipt', async () => {
    await deliver(customerEvent('created', named, NOW), subscriptionEvent('active', sold, NOW));
    const { user } = await opened.accounts.operate.exportUser(USER, by);
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
    const { kept: left, removed } = await remove();
    const counts = Object.fromEntries(removed.map(({ what, count }) => [what, count]));
    expect(counts).to.include({ customers: 1, subscriptions: 1 });
    expect(left.map(({ where }) => where)).to.include.members(['billing', 'payment provider']);
  });

  it('leaves ids of deliveries alone, whether these were applied, dead or never to be applied', async () => {
    await deliver(
      subscriptionEvent('active', sold, NOW, '1 applied'),
      subscriptionEvent('active', { ...sold, productId: 'unknown' }, NOW, '2 dead'),
    );
    await opened.deliver(subscriptionEvent('updated', sold, NOW, '3 pending'));
    await remove();
    await deliver(
      customerEvent('deleted', named, NOW + 1),
      subscriptionEvent('active', { ...sold, productId: 'unknown' }, NOW + 1, '4 late'),
    );
    expect(kept()).to.deep.include.members(
      ['1 applied', '2 dead', '3 pending', '4 late'].map((id) => ({
        id,
        standing: 'ignored',
        hasBody: false,
      })),
    );
    expect(kept().map(({ hasBody }) => hasBody)).to.deep.equal(Array(5).fill(false));
    expect(await linked()).to.equal(undefined);
    expect((await opened.account()).billing).to.equal(null);
    expect(await opened.billing.operate.replay(null)).to.deep.equal({ replayed: 0, left: 0 });
  });

  it('is forgotten here at once, and by a provider that is down when it is back, with nothing waiting for that', async () => {
    await deliver(subscriptionEvent('active', sold, NOW));
    await opened.addUser(OTHER);
    const { outstanding } = await remove();
    await opened.accounts.operate.setTier(OTHER, { tier: 'pro' }, by);
    await opened.relay();

    expect(outstanding).to.deep.equal(['erase-billing']);
    expect(kept().every(({ hasBody }) => !hasBody)).to.equal(true);
    expect(await linked()).to.equal(undefined);
    const left = (await opened.account()).pending;
    expect(tasks(left)).to.deep.equal([
      ['erase-billing', 1],
      ['erase-billing', 0],
    ]);
    expect(opened.events.map(({ type, userId }) => [type, userId])).to.deep.include.members([
      ['user.deleted', USER],
      ['entitlement.changed', OTHER],
    ]);
    isDown = false;
    opened.time.now += 1_500;
    await opened.relay();
    expect(anonymised).to.deep.equal([USER]);
    expect(tasks((await opened.account()).pending)).to.deep.equal([['erase-billing', 0]]);
    opened.time.now += 5 * 60_000;
    await opened.relay();
    expect(anonymised).to.deep.equal([USER, USER]);
    expect((await opened.account()).pending).to.deep.equal([]);
  });

  it('keeps nobody else waiting while the provider gives no answer, and is asked about once meanwhile', async () => {
    await deliver(subscriptionEvent('active', sold, NOW));
    await opened.addUser(OTHER);
    await opened.accounts.operate.deleteUser(USER, by);
    [isDown, asked] = [false, 0];
    opened.time.now += 1_500;
    let letGo: () => void = () => expect.fail('Nothing hangs.');
    hanging = new Promise((resolve) => {
      letGo = resolve;
    });
    const first = opened.accounts.background.relay();
    await until(() => asked === 1, 2_000);
    await opened.accounts.operate.setTier(OTHER, { tier: 'pro' }, by);
    const second = opened.accounts.background.relay();
    await until(async () => (await opened.account(OTHER)).pending.length === 0, 2_000);
    expect([asked, anonymised]).to.deep.equal([1, []]);
    letGo();
    await Promise.all([first, second]);
    expect([asked, anonymised]).to.deep.equal([1, [USER]]);
    expect(tasks((await opened.account()).pending)).to.deep.equal([['erase-billing', 0]]);
  });

  it('who only opened a checkout is told of to the provider as well, and who did not is not', async () => {
    isDown = false;
    await opened.addUser(OTHER);
    await opened.billing.checkout(USER, { plan: 'pro', billingCycle: 'monthly' }, '192.0.2.1');
    await remove();
    await opened.accounts.operate.deleteUser(OTHER, by);
    await opened.relay();
    expect(anonymised).to.deep.equal([USER]);
  });
});
