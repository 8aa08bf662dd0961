import { expect } from 'chai';
import { defaultBillingPolicy } from '../../../core/billing/policy.ts';
import {
  type BillingState,
  type LinkedCustomer,
  NO_BILLING,
  type SubscriptionState,
} from '../../../core/billing/subscription.ts';
import { billingAccess } from '../../../core/billing/subscription-access.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 0, 1);
const END = BEGIN + 30 * DAY;
const FAR_LATER = BEGIN + 10_000 * DAY;

const orderAt = (at: number, id = 'delivery') => ({ at: at * 1_000, rank: 0, id });
const subscription = (overrides: Partial<SubscriptionState> = {}): SubscriptionState => ({
  id: 'one',
  customerId: 'customer',
  status: 'active',
  plan: 'pro',
  billingCycle: 'monthly',
  productName: 'Pro',
  amount: 999,
  currency: 'usd',
  interval: 'month',
  currentPeriodStart: BEGIN,
  currentPeriodEnd: END,
  cancelAtPeriodEnd: false,
  pastDueAt: null,
  endedAt: null,
  order: orderAt(BEGIN),
  revoked: false,
  ...overrides,
});
const stateOf = (subscriptions: readonly SubscriptionState[], overrides: Partial<BillingState> = {}) => ({
  ...NO_BILLING,
  subscriptions,
  ...overrides,
});
const accessAt = (now: number, state: BillingState) => billingAccess(state, now, defaultBillingPolicy);
const planAt = (now: number, ...subscriptions: readonly Partial<SubscriptionState>[]) =>
  accessAt(now, stateOf(subscriptions.map(subscription))).best?.plan ?? null;

type GrantedAt = readonly [inPeriod: boolean, atEnd: boolean, after: boolean];
const ALWAYS: GrantedAt = [true, true, true];
const TO_THE_END: GrantedAt = [true, false, false];
const NEVER: GrantedAt = [false, false, false];

describe('The access of a subscription', () => {
  const table: readonly (readonly [string, renewing: GrantedAt, cancelled: GrantedAt])[] = [
    ['active', ALWAYS, TO_THE_END],
    ['trialing', ALWAYS, TO_THE_END],
    ['canceled', TO_THE_END, TO_THE_END],
    ['unpaid', NEVER, NEVER],
    ['paused', NEVER, NEVER],
    ['incomplete', NEVER, NEVER],
    ['incomplete_expired', NEVER, NEVER],
    ['a word of tomorrow', NEVER, NEVER],
  ];

  for (const [status, renewing, cancelled] of table) {
    it(`follows the table for ${status} within the period, at its end and long after`, () => {
      for (const [cancelAtPeriodEnd, expected] of [
        [false, renewing],
        [true, cancelled],
      ] as const) {
        const times = [END - 1, END, FAR_LATER];
        const granted = times.map((now) => planAt(now, { status, cancelAtPeriodEnd }) === 'pro');
        expect(granted, `cancelled: ${cancelAtPeriodEnd}`).to.deep.equal(expected);
        const revoked = times.map((now) => planAt(now, { status, cancelAtPeriodEnd, revoked: true }));
        expect(revoked, 'revoked').to.deep.equal([null, null, null]);
        const unknown = times.map((now) => planAt(now, { status, cancelAtPeriodEnd, plan: null }));
        expect(unknown, 'unknown product').to.deep.equal([null, null, null]);
      }
    });
  }

  it('lasts for 7 days after a failed payment, regardless of the period and of late events', () => {
    const failedAt = END + HOUR;
    for (const cancelAtPeriodEnd of [false, true]) {
      const pastDue = {
        status: 'past_due',
        cancelAtPeriodEnd,
        pastDueAt: failedAt,
        order: orderAt(failedAt + 3 * DAY),
      };
      expect(planAt(failedAt + 7 * DAY - 1, pastDue)).to.equal('pro');
      expect(planAt(failedAt + 7 * DAY, pastDue)).to.equal(null);
      expect(planAt(failedAt + 8 * DAY, { ...pastDue, pastDueAt: null })).to.equal('pro');
      expect(planAt(failedAt + 10 * DAY, { ...pastDue, pastDueAt: null })).to.equal(null);
    }
  });

  it('ends at once if the subscription ended before its period', () => {
    const endedAt = BEGIN + DAY;
    expect(planAt(endedAt, { status: 'canceled', endedAt })).to.equal(null);
    expect(planAt(BEGIN + 2 * DAY, { status: 'canceled', currentPeriodEnd: null })).to.equal(null);
  });

  it('has the time of its next change without further events', () => {
    const changesAt = (overrides: Partial<SubscriptionState>) =>
      accessAt(BEGIN + DAY, stateOf([subscription(overrides)])).changesAt;
    expect(changesAt({})).to.equal(null);
    expect(changesAt({ cancelAtPeriodEnd: true })).to.equal(END);
    expect(changesAt({ status: 'canceled' })).to.equal(END);
    expect(changesAt({ status: 'past_due', pastDueAt: BEGIN })).to.equal(BEGIN + 7 * DAY);
    expect(changesAt({ status: 'unpaid' })).to.equal(null);
    const ending = [END + DAY, END].map((currentPeriodEnd) =>
      subscription({ id: `${currentPeriodEnd}`, status: 'canceled', currentPeriodEnd }),
    );
    expect(accessAt(BEGIN, stateOf(ending)).changesAt).to.equal(END);
  });

  it('starts at its newest event, the deletion of its customer, or the end of a grant', () => {
    const cancelled = stateOf([subscription({ status: 'canceled' })]);
    const since = [END - 1, END, FAR_LATER].map((now) => accessAt(now, cancelled).since);
    expect(since).to.deep.equal([BEGIN, END, END]);
    const customers = [{ id: 'customer', deleted: orderAt(BEGIN + DAY) }];
    expect(accessAt(END, stateOf([subscription()], { customers })).since).to.equal(BEGIN + DAY);
  });
});

describe('Several subscriptions of one user', () => {
  it('grant the best plan, and the next best when that plan ends', () => {
    const lite = { id: 'lite', plan: 'pro-lite', order: orderAt(BEGIN + DAY) };
    const pro = { id: 'pro', plan: 'pro', cancelAtPeriodEnd: true };
    for (const both of [
      [lite, pro],
      [pro, lite],
    ]) {
      expect(planAt(END - 1, ...both)).to.equal('pro');
      expect(planAt(END, ...both)).to.equal('pro-lite');
    }
    expect(planAt(BEGIN, { ...pro, status: 'paused' }, lite)).to.equal('pro-lite');
  });

  it('show the last to end of equal subscriptions, although the other is newer', () => {
    const renewing = subscription();
    for (const ending of [
      { cancelAtPeriodEnd: true },
      { status: 'canceled' },
      { status: 'past_due', pastDueAt: BEGIN },
    ]) {
      const newer = subscription({ id: 'two', order: orderAt(BEGIN + 1), ...ending });
      for (const both of [
        [renewing, newer],
        [newer, renewing],
      ])
        expect(accessAt(BEGIN + DAY, stateOf(both)).best?.id, JSON.stringify(ending)).to.equal('one');
    }
  });

  it('show the newest of equal subscriptions', () => {
    const [older, newer] = [subscription(), subscription({ id: 'two', order: orderAt(BEGIN + 1) })];
    for (const both of [
      [older, newer],
      [newer, older],
    ]) {
      expect(accessAt(END, stateOf(both)).best?.id).to.equal('two');
    }
  });
});

describe('The deletion of a customer', () => {
  const deletedAt = BEGIN + DAY;
  const customer = (id: string): LinkedCustomer => ({ id, deleted: orderAt(deletedAt) });
  const planOf = (stored: SubscriptionState, customers: readonly LinkedCustomer[]) =>
    accessAt(deletedAt + 1, stateOf([stored], { customers })).best?.plan ?? null;

  it("ends the customer's subscriptions of older events, but not of newer events", () => {
    expect(planOf(subscription({ order: orderAt(deletedAt - 1) }), [customer('customer')])).to.equal(null);
    expect(planOf(subscription({ order: orderAt(deletedAt + 1) }), [customer('customer')])).to.equal('pro');
  });

  it("keeps the subscriptions of the user's other customers", () => {
    expect(planOf(subscription({ order: orderAt(deletedAt - 1) }), [customer('another')])).to.equal('pro');
  });
});

describe('A missing renewal', () => {
  const requestAt = (overrides: Partial<SubscriptionState>) =>
    accessAt(END + 5 * DAY, stateOf([subscription(overrides)])).asksAt;

  it('is requested a day after the end of the period, and the plan stays meanwhile', () => {
    for (const status of ['active', 'trialing']) {
      expect(requestAt({ status })).to.equal(END + DAY);
      expect(planAt(END + 5 * DAY, { status })).to.equal('pro');
    }
  });

  it('is not requested if there is nothing to renew', () => {
    for (const overrides of [
      { cancelAtPeriodEnd: true },
      { status: 'past_due', pastDueAt: END },
      { status: 'canceled' },
      { currentPeriodEnd: null },
      { plan: null },
    ]) {
      expect(requestAt(overrides), JSON.stringify(overrides)).to.equal(null);
    }
  });
});

describe('Events close to the last answer', () => {
  const MARGIN = defaultBillingPolicy.answerMarginMs;
  const requestAt = (...afterAnswer: readonly number[]) => {
    const paused = afterAnswer.map((after) =>
      subscription({ status: 'paused', order: orderAt(BEGIN + after) }),
    );
    return accessAt(BEGIN, stateOf(paused, { answered: orderAt(BEGIN) })).asksAt;
  };

  it('are requested again once the last of them is out of the clock margin', () => {
    expect(requestAt(1, MARGIN)).to.equal(BEGIN + 2 * MARGIN);
  });

  it('are not requested again if they are older than the answer or certainly newer', () => {
    expect(requestAt(0, -1, MARGIN + 0.001)).to.equal(null);
  });
});

describe('A request that was sent or due before the clock was set back', () => {
  const AHEAD = END + 20 * DAY;
  const requestAt = (overrides: Partial<BillingState>) =>
    accessAt(END + DAY, stateOf([subscription()], overrides)).asksAt;

  it('does not delay another request, whether or not it was answered', () => {
    for (const overrides of [{ triedAt: AHEAD }, { askedAt: AHEAD, answered: orderAt(BEGIN) }])
      expect(requestAt(overrides), JSON.stringify(overrides)).to.equal(END + DAY);
    expect(requestAt({ restoredAt: AHEAD })).to.be.at.most(END + DAY);
  });
});
