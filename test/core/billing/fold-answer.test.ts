import { expect } from 'chai';
import { isNewer } from '../../../core/billing/event-order.ts';
import { foldAnswer, foldEvent, type ProviderEvent } from '../../../core/billing/fold-events.ts';
import { type BillingState, NO_BILLING, type SubscriptionState } from '../../../core/billing/subscription.ts';
import { live } from './provider-answers.ts';

const ASKED = Date.UTC(2026, 0, 2);

/** A subscription as an event told it, so many milliseconds after the provider was asked. */
const subscriptionAt = (later: number, overrides: Partial<SubscriptionState> = {}): SubscriptionState => ({
  ...live({ productName: 'Pro' }),
  order: { at: (ASKED + later) * 1_000, rank: 3, id: 'event' },
  revoked: false,
  ...overrides,
});

describe('An answer of the provider', () => {
  const stateAfter = (before: readonly SubscriptionState[], ...answer: readonly ReturnType<typeof live>[]) =>
    foldAnswer(
      { ...NO_BILLING, subscriptions: before },
      { asOf: ASKED, customer: { customerId: 'customer', subscriptions: answer } },
      ASKED,
      0,
    ).subscriptions;

  it('does not override a newer event about a subscription that it names', () => {
    const revoked = subscriptionAt(1, { status: 'canceled', revoked: true });
    expect(stateAfter([revoked], live())).to.deep.equal([revoked]);
  });

  it('overrides an older event, and keeps the name of the product', () => {
    const [only, ...others] = stateAfter([subscriptionAt(-1, { status: 'past_due', revoked: true })], live());
    expect(others).to.deep.equal([]);
    expect(only).to.include({ status: 'active', revoked: false, productName: 'Pro' });
  });

  it('ends what it does not name, but for what is past due or newer', () => {
    const before = [
      subscriptionAt(-1, { id: 'gone' }),
      subscriptionAt(-1, { id: 'owing', status: 'past_due' }),
      subscriptionAt(1, { id: 'newer' }),
    ];
    const statuses = Object.fromEntries(stateAfter(before).map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ gone: 'canceled', owing: 'past_due', newer: 'active' });
  });

  it('ends what is past due, too, where the provider knows no such customer, but for what is newer', () => {
    const { subscriptions } = foldAnswer(
      {
        ...NO_BILLING,
        subscriptions: [
          subscriptionAt(-1, { id: 'owing', status: 'past_due' }),
          subscriptionAt(1, { id: 'newer', status: 'past_due' }),
        ],
      },
      { asOf: ASKED, customer: undefined },
      ASKED,
      0,
    );
    const statuses = Object.fromEntries(subscriptions.map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ owing: 'canceled', newer: 'past_due' });
  });

  const answered = (before: Partial<BillingState>, ...subscriptions: readonly ReturnType<typeof live>[]) =>
    foldAnswer(
      { ...NO_BILLING, ...before },
      { asOf: ASKED, customer: { customerId: 'customer', subscriptions } },
      ASKED,
      0,
    );

  it('names a product that it does not call by a name after its plan, and orders subscriptions by id', () => {
    const state = answered(
      { subscriptions: [subscriptionAt(1, { id: 'c' })] },
      live({ id: 'd' }),
      live({ id: 'a', plan: null }),
    );
    expect(state.subscriptions.map(({ id, productName }) => [id, productName])).to.deep.equal([
      ['a', ''],
      ['c', 'Pro'],
      ['d', 'pro'],
    ]);
  });

  it('ends a subscription once, however often it does not name it', () => {
    const once = answered({ subscriptions: [subscriptionAt(-1, { id: 'gone' })] });
    const again = foldAnswer(once, { asOf: null, customer: undefined }, ASKED + 1_000, 0);
    expect([once, again].map(({ subscriptions: [gone] }) => gone?.endedAt)).to.deep.equal([ASKED, ASKED]);
  });

  it('ends a subscription at its own time, though our clock is ahead', () => {
    const before = { ...NO_BILLING, subscriptions: [subscriptionAt(-1)] };
    const { answered, subscriptions } = foldAnswer(
      before,
      { asOf: ASKED, customer: undefined },
      ASKED + 5_000,
      1,
    );
    expect([answered?.at, subscriptions[0]?.endedAt]).to.deep.equal([ASKED * 1_000, ASKED]);
  });

  it('links its customer beside the others, once, and leaves a deletion alone', () => {
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
      expect(answered({ customers: before as BillingState['customers'] }).customers).to.deep.equal(after);
  });

  it('has granted a plan if one of its subscriptions grants, or did so before', () => {
    const [grants, grantsNone] = [live(), live({ id: 'unpaid', status: 'unpaid' })];
    expect(answered({}, grantsNone).granted).to.equal(false);
    expect(answered({}, grants, grantsNone).granted).to.equal(true);
    expect(answered({ granted: true }).granted).to.equal(true);
  });
});

describe('An event of the provider', () => {
  const sold = (id: string, later: number, overrides: Partial<SubscriptionState> = {}): ProviderEvent => {
    const { order, revoked, ...subscription } = subscriptionAt(later, { id, ...overrides });
    const { customerId } = subscription;
    return { about: 'subscription', order, customerId, userId: null, subscription, revoked };
  };
  const stateAfter = (...events: readonly ProviderEvent[]) => events.reduce(foldEvent, NO_BILLING);

  it('is kept with those of other subscriptions and customers, ordered by id, however old it is', () => {
    const { customers, subscriptions } = stateAfter(
      sold('b', 2, { customerId: 'second' }),
      sold('a', 1, { customerId: 'first' }),
    );
    expect(customers).to.deep.equal(['first', 'second'].map((id) => ({ id, deleted: null })));
    expect(subscriptions.map(({ id }) => id)).to.deep.equal(['a', 'b']);
  });

  it('leaves the very same state where it was applied already', () => {
    const state = stateAfter(sold('a', 1));
    expect(foldEvent(state, sold('a', 1))).to.equal(state);
  });

  it('has granted a plan where it names one that is in force, though an answer of a later time is known', () => {
    const floor = { ...NO_BILLING, answered: subscriptionAt(2).order };
    expect(foldEvent(floor, sold('a', 1)).granted).to.equal(true);
    for (const overrides of [{ plan: null }, { status: 'unpaid' }])
      expect(stateAfter(sold('a', 1, overrides)).granted, JSON.stringify(overrides)).to.equal(false);
  });

  it('is newer by its time, then by its kind, then by its id, and never than itself', () => {
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
