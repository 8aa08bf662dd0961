import { expect } from 'chai';
import { foldAnswer } from '../../../core/billing/fold-events.ts';
import { NO_BILLING, type SubscriptionState } from '../../../core/billing/subscription.ts';
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
});
