import { expect } from 'chai';
import { isNewer } from '../../../core/billing/event-order.ts';
import { foldAnswer, foldEvent, type ProviderEvent } from '../../../core/billing/fold-events.ts';
import { type BillingState, NO_BILLING, type SubscriptionState } from '../../../core/billing/subscription.ts';
import { liveSubscription } from './provider-answers.ts';

const NOW = Date.UTC(2026, 0, 2);

/** A subscription of an event `later` milliseconds after the request to the provider. */
const subscriptionAt = (later: number, overrides: Partial<SubscriptionState> = {}): SubscriptionState => ({
  ...liveSubscription({ productName: 'Pro' }),
  order: { at: (NOW + later) * 1_000, rank: 3, id: 'event' },
  revoked: false,
  ...overrides,
});

describe('An answer of the provider', () => {
  const stateAfter = (
    before: readonly SubscriptionState[],
    ...answer: readonly ReturnType<typeof liveSubscription>[]
  ) =>
    foldAnswer(
      { ...NO_BILLING, subscriptions: before },
      { asOf: NOW, customer: { customerId: 'customer', subscriptions: answer } },
      NOW,
      0,
    ).subscriptions;

  it('does not override a newer event of a subscription in the answer', () => {
    const revoked = subscriptionAt(1, { status: 'canceled', revoked: true });
    expect(stateAfter([revoked], liveSubscription())).to.deep.equal([revoked]);
  });

  it('overrides an older event, and keeps the product name', () => {
    const [only, ...others] = stateAfter(
      [subscriptionAt(-1, { status: 'past_due', revoked: true })],
      liveSubscription(),
    );
    expect(others).to.deep.equal([]);
    expect(only).to.include({ status: 'active', revoked: false, productName: 'Pro' });
  });

  it('keeps the interval of several months, which it does not count', () => {
    const [only] = stateAfter([subscriptionAt(-1, { interval: '3 months' })], liveSubscription());
    expect(only?.interval).to.equal('3 months');
  });

  it('keeps neither name nor interval of another product', () => {
    for (const changed of [{ plan: 'pro-lite' }, { billingCycle: 'yearly', interval: 'year' }] as const) {
      const answer = liveSubscription(changed);
      const [only] = stateAfter([subscriptionAt(-1, { interval: '3 months' })], answer);
      expect(only).to.include({ productName: answer.plan, interval: answer.interval });
    }
  });

  it('ends subscriptions that it does not contain, unless they are past due or newer', () => {
    const before = [
      subscriptionAt(-1, { id: 'gone' }),
      subscriptionAt(-1, { id: 'owing', status: 'past_due' }),
      subscriptionAt(1, { id: 'newer' }),
    ];
    const statuses = Object.fromEntries(stateAfter(before).map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ gone: 'canceled', owing: 'past_due', newer: 'active' });
  });

  it('ends past-due subscriptions, too, if the customer is unknown, unless they are newer', () => {
    const { subscriptions } = foldAnswer(
      {
        ...NO_BILLING,
        subscriptions: [
          subscriptionAt(-1, { id: 'owing', status: 'past_due' }),
          subscriptionAt(1, { id: 'newer', status: 'past_due' }),
        ],
      },
      { asOf: NOW, customer: undefined },
      NOW,
      0,
    );
    const statuses = Object.fromEntries(subscriptions.map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ owing: 'canceled', newer: 'past_due' });
  });

  const stateWith = (
    before: Partial<BillingState>,
    ...subscriptions: readonly ReturnType<typeof liveSubscription>[]
  ) =>
    foldAnswer(
      { ...NO_BILLING, ...before },
      { asOf: NOW, customer: { customerId: 'customer', subscriptions } },
      NOW,
      0,
    );

  it('names a product without a name by its plan, and orders subscriptions by id', () => {
    const state = stateWith(
      { subscriptions: [subscriptionAt(1, { id: 'c' })] },
      liveSubscription({ id: 'd' }),
      liveSubscription({ id: 'a', plan: null }),
    );
    expect(state.subscriptions.map(({ id, productName }) => [id, productName])).to.deep.equal([
      ['a', ''],
      ['c', 'Pro'],
      ['d', 'pro'],
    ]);
  });

  it('ends a missing subscription once, even if the answer is repeated', () => {
    const once = stateWith({ subscriptions: [subscriptionAt(-1, { id: 'gone' })] });
    const again = foldAnswer(once, { asOf: null, customer: undefined }, NOW + 1_000, 0);
    expect([once, again].map(({ subscriptions: [ended] }) => ended?.endedAt)).to.deep.equal([NOW, NOW]);
  });

  it('ends a subscription at the time of the answer, even if the local clock is ahead', () => {
    const before = { ...NO_BILLING, subscriptions: [subscriptionAt(-1)] };
    const { answered, subscriptions } = foldAnswer(
      before,
      { asOf: NOW, customer: undefined },
      NOW + 5_000,
      1,
    );
    expect([answered?.at, subscriptions[0]?.endedAt]).to.deep.equal([NOW * 1_000, NOW]);
  });

  it('links its customer once beside other customers, and keeps a deletion', () => {
    const deleted = { id: 'customer', deleted: subscriptionAt(-1).order };
    const [other, last] = ['another', 'last'].map((id) => ({ id, deleted: null }));
    for (const [before, after] of [
      [[], [{ id: 'customer', deleted: null }]],
      [
        [other, last],
        [other, { id: 'customer', deleted: null }, last],
      ],
      [
        [other, deleted],
        [other, deleted],
      ],
    ])
      expect(stateWith({ customers: before as BillingState['customers'] }).customers).to.deep.equal(after);
  });

  it('marks a plan as granted if one of its subscriptions grants or granted before', () => {
    const [granting, unpaid] = [liveSubscription(), liveSubscription({ id: 'unpaid', status: 'unpaid' })];
    expect(stateWith({}, unpaid).granted).to.equal(false);
    expect(stateWith({}, granting, unpaid).granted).to.equal(true);
    expect(stateWith({ granted: true }).granted).to.equal(true);
  });
});

describe('An event of the provider', () => {
  const sold = (id: string, later: number, overrides: Partial<SubscriptionState> = {}): ProviderEvent => {
    const { order, revoked, ...subscription } = subscriptionAt(later, { id, ...overrides });
    const { customerId } = subscription;
    return { about: 'subscription', order, customerId, userId: null, subscription, revoked };
  };
  const stateAfter = (...events: readonly ProviderEvent[]) => events.reduce(foldEvent, NO_BILLING);

  it('names the product for an earlier answer that did not, and changes nothing else of it', () => {
    const answered = foldAnswer(
      NO_BILLING,
      { asOf: NOW, customer: { customerId: 'customer', subscriptions: [liveSubscription()] } },
      NOW,
      0,
    );
    const late = sold('sold', -1, {
      status: 'past_due',
      productName: 'Pro for a quarter',
      interval: '3 months',
    });
    const older = sold('sold', -2, { productName: 'An older name' });
    const named = foldEvent(answered, late);
    const [before] = answered.subscriptions;
    expect(named.subscriptions).to.deep.equal([
      { ...before, productName: 'Pro for a quarter', interval: '3 months', productFrom: late.order },
    ]);
    expect(foldEvent(foldEvent(answered, older), late)).to.deep.equal(named);
    for (const event of [older, sold('sold', -1, { plan: 'pro-lite', productName: 'Pro Lite' })])
      expect(foldEvent(named, event)).to.equal(named);
  });

  it('is stored beside other subscriptions and customers, ordered by id, regardless of its age', () => {
    const { customers, subscriptions } = stateAfter(
      sold('b', 2, { customerId: 'second' }),
      sold('a', 1, { customerId: 'first' }),
    );
    expect(customers).to.deep.equal(['first', 'second'].map((id) => ({ id, deleted: null })));
    expect(subscriptions.map(({ id }) => id)).to.deep.equal(['a', 'b']);
  });

  it('returns the identical state if it was applied before', () => {
    const state = stateAfter(sold('a', 1));
    expect(foldEvent(state, sold('a', 1))).to.equal(state);
  });

  it('marks a plan as granted if it names an active one, even after a later answer', () => {
    const floor = { ...NO_BILLING, answered: subscriptionAt(2).order };
    expect(foldEvent(floor, sold('a', 1)).granted).to.equal(true);
    for (const overrides of [{ plan: null }, { status: 'unpaid' }])
      expect(stateAfter(sold('a', 1, overrides)).granted, JSON.stringify(overrides)).to.equal(false);
  });

  it('is ordered by time, then kind, then id, and is not newer than itself', () => {
    const order = { at: 5, rank: 5, id: '5' };
    for (const other of [
      { at: 4, rank: 9, id: '9' },
      { at: 5, rank: 4, id: '9' },
      { at: 5, rank: 5, id: '4' },
    ])
      expect([isNewer(order, other), isNewer(other, order)], JSON.stringify(other)).to.deep.equal([
        true,
        false,
      ]);
    expect(isNewer(order, order)).to.equal(false);
  });
});
