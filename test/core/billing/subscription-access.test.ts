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
const EVER = BEGIN + 10_000 * DAY;

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

type Answers = readonly [inPeriod: boolean, atEnd: boolean, after: boolean];
const ALWAYS: Answers = [true, true, true];
const TO_THE_END: Answers = [true, false, false];
const NEVER: Answers = [false, false, false];

describe('What a subscription grants', () => {
  const table: readonly (readonly [string, renewing: Answers, cancelled: Answers])[] = [
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
    it(`is what the table says of ${status}, in its period, at its end and long after`, () => {
      for (const [cancelAtPeriodEnd, expected] of [
        [false, renewing],
        [true, cancelled],
      ] as const) {
        const times = [END - 1, END, EVER];
        const granted = times.map((now) => planAt(now, { status, cancelAtPeriodEnd }) === 'pro');
        expect(granted, `cancelled: ${cancelAtPeriodEnd}`).to.deep.equal(expected);
        const revoked = times.map((now) => planAt(now, { status, cancelAtPeriodEnd, revoked: true }));
        expect(revoked, 'revoked').to.deep.equal([null, null, null]);
        const unknown = times.map((now) => planAt(now, { status, cancelAtPeriodEnd, plan: null }));
        expect(unknown, 'of an unknown product').to.deep.equal([null, null, null]);
      }
    });
  }

  it('lasts for 7 days after a payment failed, whatever the period and however late the event arrives', () => {
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

  it('ends at once when the subscription ended before its period', () => {
    const endedAt = BEGIN + DAY;
    expect(planAt(endedAt, { status: 'canceled', endedAt })).to.equal(null);
    expect(planAt(BEGIN + 2 * DAY, { status: 'canceled', currentPeriodEnd: null })).to.equal(null);
  });

  it('says when it will be another by the time alone', () => {
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

  it('began with the newest of its events, the deletion of its customer, or the end of a grant', () => {
    const cancelled = stateOf([subscription({ status: 'canceled' })]);
    const since = [END - 1, END, EVER].map((now) => accessAt(now, cancelled).since);
    expect(since).to.deep.equal([BEGIN, END, END]);
    const customers = [{ id: 'customer', deleted: orderAt(BEGIN + DAY) }];
    expect(accessAt(END, stateOf([subscription()], { customers })).since).to.equal(BEGIN + DAY);
  });
});

describe('Several subscriptions of one user', () => {
  it('grant the best plan, whichever is the newest, and the next when that one ends', () => {
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

  it('show the newest of those that are equal', () => {
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

  it('ends their subscriptions as of older events, and no newer ones', () => {
    expect(planOf(subscription({ order: orderAt(deletedAt - 1) }), [customer('customer')])).to.equal(null);
    expect(planOf(subscription({ order: orderAt(deletedAt + 1) }), [customer('customer')])).to.equal('pro');
  });

  it('leaves the subscriptions of the user’s other customers alone', () => {
    expect(planOf(subscription({ order: orderAt(deletedAt - 1) }), [customer('another')])).to.equal('pro');
  });
});

describe('A renewal that does not come', () => {
  const asksAt = (overrides: Partial<SubscriptionState>) =>
    accessAt(END + 5 * DAY, stateOf([subscription(overrides)])).asksAt;

  it('is asked about a day after the end of the period, and the plan stays meanwhile', () => {
    for (const status of ['active', 'trialing']) {
      expect(asksAt({ status })).to.equal(END + DAY);
      expect(planAt(END + 5 * DAY, { status })).to.equal('pro');
    }
  });

  it('is not waited for where nothing is to renew', () => {
    for (const given of [
      { cancelAtPeriodEnd: true },
      { status: 'past_due', pastDueAt: END },
      { status: 'canceled' },
      { currentPeriodEnd: null },
      { plan: null },
    ]) {
      expect(asksAt(given), JSON.stringify(given)).to.equal(null);
    }
  });
});

describe('Events close to the last answer', () => {
  const MARGIN = defaultBillingPolicy.answerMarginMs;
  const asksAt = (...afterAnswer: readonly number[]) => {
    const paused = afterAnswer.map((after) =>
      subscription({ status: 'paused', order: orderAt(BEGIN + after) }),
    );
    return accessAt(BEGIN, stateOf(paused, { answered: orderAt(BEGIN) })).asksAt;
  };

  it('are asked about when the last of them is as far from now as the clocks may differ', () => {
    expect(asksAt(1, MARGIN)).to.equal(BEGIN + 2 * MARGIN);
  });

  it('are not asked about where they are older than it, or surely newer', () => {
    expect(asksAt(0, -1, MARGIN + 0.001)).to.equal(null);
  });
});

describe('A question that was asked, or due, before the clock was set back', () => {
  const AHEAD = END + 20 * DAY;
  const asksAt = (overrides: Partial<BillingState>) =>
    accessAt(END + DAY, stateOf([subscription()], overrides)).asksAt;

  it('delays no other, whether it was answered or not', () => {
    for (const overrides of [{ triedAt: AHEAD }, { askedAt: AHEAD, answered: orderAt(BEGIN) }])
      expect(asksAt(overrides), JSON.stringify(overrides)).to.equal(END + DAY);
    expect(asksAt({ restoredAt: AHEAD })).to.be.at.most(END + DAY);
  });
});
