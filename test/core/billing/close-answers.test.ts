import { expect } from 'chai';
import type { Subscription } from '../../../core/billing/index.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';
import { DOWN, live, makeAnswers } from './provider-answers.ts';

const HOUR = 3_600_000;
const MARGIN = 300_000;
const NOW = Date.UTC(2026, 0, 1);

describe('An answer of the provider close to an event', () => {
  let setup: OpenedBilling;
  let provider: ReturnType<typeof makeAnswers>;
  beforeEach(async () => {
    provider = makeAnswers(() => setup.time.now);
    setup = openBilling({}, { provider });
    await setup.addUser();
  });

  const sold = newSubscription({ id: 'sold', userId: USER }, NOW);
  const say = async (kind: string, overrides: Partial<typeof sold>, at: number) => {
    await setup.deliver(subscriptionEvent(kind, { ...sold, ...overrides }, at));
    await setup.settle();
  };
  const tier = async () => (await setup.account()).access.tier;
  const answer = (userId: string, ...subscriptions: readonly Subscription[]) =>
    provider.answers.set(userId, { customerId: `customer of ${userId}`, subscriptions });
  const reconcile = () => setup.billing.operate.reconcile(USER);

  it('drops no purchase where our clock is ahead of the provider’s', async () => {
    setup.time.now = NOW + HOUR;
    provider.given.asOf = () => NOW + HOUR - 2_000;
    answer(USER);
    await reconcile();
    // Bought a second after the answer, by a clock that is two behind ours.
    await say('active', {}, NOW + HOUR - 1_000);
    expect(await tier()).to.equal('pro');
    answer(USER, live());
    setup.time.now = NOW + HOUR + MARGIN;
    await setup.billing.background.checkDue();
    expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
  });

  it('is asked again at a whole millisecond, though the provider tells microseconds', async () => {
    setup.time.now = NOW + HOUR;
    provider.given.asOf = () => NOW + HOUR - 2_000;
    answer(USER);
    await reconcile();
    const { id, body } = subscriptionEvent('active', sold, NOW + HOUR);
    const timestamp = new Date(NOW + HOUR).toISOString().replace('Z', '123Z');
    await setup.deliver({ id, body: JSON.stringify({ ...JSON.parse(body), timestamp }) });
    await setup.settle();
    expect((await setup.account()).billingDueAt).to.equal(NOW + HOUR + MARGIN + 1);
  });

  it('goes by no answer at once in what is near it, where the provider does not say of when it is', async () => {
    provider.given.asOf = () => null;
    await say('active', {}, NOW + HOUR - MARGIN - 1);
    await say('active', { id: 'another' }, NOW + HOUR - MARGIN + 1);
    setup.time.now = NOW + HOUR;
    answer(USER);
    await reconcile();
    const { subscriptions } = (await setup.account()).billing ?? { subscriptions: [] };
    expect(subscriptions.map(({ id, status }) => [id, status])).to.deep.equal([
      ['another', 'active'],
      ['sold', 'canceled'],
    ]);
  });

  it('is believed in the end, though its date stands still', async () => {
    setup.time.now = NOW + HOUR;
    provider.given.asOf = () => NOW + HOUR - 2_000;
    await say('active', {}, NOW + HOUR - 1_000);
    answer(USER);
    await reconcile();
    setup.time.now += 2 * MARGIN;
    await setup.billing.background.checkDue();
    expect([await tier(), (await setup.account()).billingDueAt]).to.deep.equal(['free', null]);
  });

  it('keeps a purchase that the answer does not name yet, and asks again until one of them is the newer', async () => {
    setup.time.now = NOW + HOUR;
    provider.given.asOf = () => setup.time.now - 2_000;
    await say('active', {}, NOW + HOUR - 1_000);
    answer(USER);
    await reconcile();
    expect(await tier()).to.equal('pro');
    const look = async (now: number) => {
      setup.time.now = now;
      await setup.billing.background.checkDue();
    };
    const doubtEnds = NOW + HOUR - 1_000 + MARGIN;
    await look(doubtEnds - 1);
    expect(provider.asked).to.have.length(1);
    provider.answers.set(USER, DOWN);
    await look(doubtEnds);
    expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
    // A provider that gave no answer is not asked again for an hour.
    answer(USER);
    await look(doubtEnds + HOUR - 1);
    expect(provider.asked).to.have.length(2);
    await look(doubtEnds + HOUR);
    expect([provider.asked.length, await tier()]).to.deep.equal([3, 'free']);
    expect((await setup.account()).billingDueAt).to.equal(null);
  });
});
