import { expect } from 'chai';
import { takeAnswer } from '../../../core/billing/state.ts';
import { type KnownSubscription, NO_BILLING } from '../../../core/billing/subscription.ts';
import { live } from './provider-answers.ts';

const ASKED = Date.UTC(2026, 0, 2);

/** A subscription as an event told it, so many milliseconds after the provider was asked. */
const told = (later: number, given: Partial<KnownSubscription> = {}): KnownSubscription => ({
  ...live({ productName: 'Pro' }),
  order: { at: (ASKED + later) * 1_000, rank: 3, id: 'event' },
  revoked: false,
  ...given,
});

describe('An answer of the provider', () => {
  const stateAfter = (known: readonly KnownSubscription[], ...answered: readonly ReturnType<typeof live>[]) =>
    takeAnswer(
      { ...NO_BILLING, subscriptions: known },
      { asOf: ASKED, customer: { customerId: 'customer', subscriptions: answered } },
      ASKED,
      0,
    ).subscriptions;

  it('leaves what a newer event said of a subscription that it names, too', () => {
    const revoked = told(1, { status: 'canceled', revoked: true });
    expect(stateAfter([revoked], live())).to.deep.equal([revoked]);
  });

  it('takes the place of what an older event said, and keeps the name of the product', () => {
    const [only, ...others] = stateAfter([told(-1, { status: 'past_due', revoked: true })], live());
    expect(others).to.deep.equal([]);
    expect(only).to.include({ status: 'active', revoked: false, productName: 'Pro' });
  });

  it('ends what it does not name, but for what is past due or newer', () => {
    const known = [
      told(-1, { id: 'gone' }),
      told(-1, { id: 'owing', status: 'past_due' }),
      told(1, { id: 'newer' }),
    ];
    const statuses = Object.fromEntries(stateAfter(known).map(({ id, status }) => [id, status]));
    expect(statuses).to.deep.equal({ gone: 'canceled', owing: 'past_due', newer: 'active' });
  });
});
