import { isNewer } from './event-order.ts';
import type { BillingPolicy } from './policy.ts';
import type { BillingChange } from './ports.ts';
import type { BillingState, SubscriptionState } from './subscription.ts';

/** The access that billing grants a user at a point in time. */
interface BillingAccess {
  /** The best subscription that grants, if any. */
  readonly best: SubscriptionState | undefined;
  /** The time of the newest event or, if later, of the last end of a grant so far; epoch milliseconds. */
  readonly since: number;
  /** When the access may change without a further event; null for never. */
  readonly changesAt: number | null;
  /**
   * When the provider must be asked: a renewal is late, an event is too close to the last answer, or the account was restored
   * after a deletion. Null for never.
   */
  readonly asksAt: number | null;
}

/** Times of events and answers are in microseconds, all others in milliseconds. */
const MICROSECONDS_PER_MILLISECOND = 1_000;

/** The end of the paid period, or `endedAt` if that is earlier. A canceled subscription whose period is unknown grants nothing. */
const canceledEnd = ({ currentPeriodEnd, endedAt }: SubscriptionState): number =>
  Math.min(currentPeriodEnd ?? 0, endedAt ?? Number.POSITIVE_INFINITY);

const ENDLESS = Number.POSITIVE_INFINITY;

/** When the subscription stops granting its plan: `ENDLESS` while no end is known, 0 if it grants nothing. */
const endOfGrant = (subscription: SubscriptionState, policy: BillingPolicy): number => {
  if (subscription.plan === null || subscription.revoked) return 0;
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      return subscription.cancelAtPeriodEnd ? (subscription.currentPeriodEnd ?? ENDLESS) : ENDLESS;
    case 'canceled':
      return canceledEnd(subscription);
    case 'past_due':
      return (
        (subscription.pastDueAt ?? subscription.order.at / MICROSECONDS_PER_MILLISECOND) +
        policy.pastDueGraceMs
      );
    default:
      return 0;
  }
};

const isDeleted = (state: BillingState, subscription: SubscriptionState): boolean => {
  const deleted = state.customers.find(({ id }) => id === subscription.customerId)?.deleted ?? null;
  return deleted !== null && !isNewer(subscription.order, deleted);
};

/** A stored time; 0 if it lies in the future: the clock was set back since, and the time must delay no question. */
const pastTime = (time: number | null | undefined, now: number): number =>
  time === undefined || time === null || time > now ? 0 : time;

/** When the provider was last asked and answered; 0 if it never was. Older records have only the time of the answer. */
const lastAskedAt = ({ answered, askedAt }: BillingState, now: number): number =>
  pastTime(askedAt ?? (answered && answered.at / MICROSECONDS_PER_MILLISECOND), now);

/** When the next question may follow one that the provider did not answer. */
const retryAt = ({ triedAt }: BillingState, now: number, policy: BillingPolicy): number =>
  pastTime(triedAt, now) + policy.renewalAskRetryMs;

/** When the provider is asked about a late renewal; null if none is expected. */
const renewalAskAt = (
  state: BillingState,
  subscription: SubscriptionState,
  now: number,
  policy: BillingPolicy,
): number | null => {
  const renews =
    (subscription.status === 'active' || subscription.status === 'trialing') &&
    !subscription.cancelAtPeriodEnd;
  if (!renews || subscription.currentPeriodEnd === null) return null;
  return Math.max(
    subscription.currentPeriodEnd + policy.renewalPatienceMs,
    lastAskedAt(state, now) + policy.renewalAskEveryMs,
    retryAt(state, now, policy),
  );
};

/**
 * When the provider is asked again because an event is too close to its last answer to tell which is newer. First the margin
 * must pass since the newest such event: then the next answer is certainly newer than all of them. If that answer still has an
 * older time, such as an answer that a proxy repeats, the events stay, and no further question is asked about them.
 */
const doubtAskAt = (state: BillingState, now: number, policy: BillingPolicy): number | null => {
  const { answered, subscriptions } = state;
  if (answered === null) return null;
  const marginEnd = answered.at + policy.answerMarginMs * MICROSECONDS_PER_MILLISECOND;
  const closeOrders = subscriptions
    .map(({ order }) => order)
    .filter((order) => isNewer(order, answered) && order.at <= marginEnd);
  if (closeOrders.length === 0) return null;
  const newest = Math.max(...closeOrders.map(({ at }) => at)) / MICROSECONDS_PER_MILLISECOND;
  const doubtEnds = newest + policy.answerMarginMs;
  return lastAskedAt(state, now) >= doubtEnds ? null : Math.max(doubtEnds, retryAt(state, now, policy));
};

/** When the provider is asked what happened while the account was deleted; null if the account was not restored. */
const missedAskAt = (state: BillingState, now: number, policy: BillingPolicy): number | null =>
  state.restoredAt === undefined
    ? null
    : Math.max(pastTime(state.restoredAt, now), retryAt(state, now, policy));

const earliest = (times: readonly (number | null)[]): number | null => {
  const dates = times.filter((time) => time !== null);
  return dates.length === 0 ? null : Math.min(...dates);
};

/** A subscription with the time until which it grants its plan. */
interface Grant {
  readonly subscription: SubscriptionState;
  readonly until: number;
}

/** Whether `a` has the higher tier; of equal tiers, lasts longer; of equal ends, has the newer event. */
const isBetter = (a: Grant, b: Grant, { tiers }: BillingPolicy): boolean => {
  const tierOf = ({ subscription: { plan } }: Grant) => tiers.indexOf(plan ?? '');
  if (tierOf(a) !== tierOf(b)) return tierOf(a) > tierOf(b);
  if (a.until !== b.until) return a.until > b.until;
  return isNewer(a.subscription.order, b.subscription.order);
};

/** A pure function of state and time. */
export const billingAccess = (state: BillingState, now: number, policy: BillingPolicy): BillingAccess => {
  const grants: readonly Grant[] = state.subscriptions
    .filter((subscription) => !isDeleted(state, subscription))
    .map((subscription) => ({ subscription, until: endOfGrant(subscription, policy) }));
  const current = grants.filter(({ until }) => until > now);
  let best: Grant | undefined;
  for (const grant of current) if (best === undefined || isBetter(grant, best, policy)) best = grant;
  const changeTimes = [
    ...state.subscriptions.map(({ order }) => order.at / MICROSECONDS_PER_MILLISECOND),
    ...state.customers.map(({ deleted }) => (deleted?.at ?? 0) / MICROSECONDS_PER_MILLISECOND),
    ...grants.map(({ until }) => until).filter((until) => until <= now),
  ];
  return {
    best: best?.subscription,
    since: Math.floor(Math.max(0, ...changeTimes)),
    changesAt: earliest(current.map(({ until }) => (until === ENDLESS ? null : until))),
    asksAt: earliest([
      missedAskAt(state, now, policy),
      doubtAskAt(state, now, policy),
      ...current.map(({ subscription }) => renewalAskAt(state, subscription, now, policy)),
    ]),
  };
};

/** A state with the plan it grants at `now`, and when to check it again. */
export const settleAccess = (
  state: BillingState,
  now: number,
  policy: BillingPolicy,
  actor: BillingChange['actor'],
): BillingChange => {
  const { best, since, changesAt, asksAt } = billingAccess(state, now, policy);
  const dueAt = earliest([changesAt, asksAt]);
  // Rounded up: the provider's times have microseconds, stored times are whole milliseconds.
  return { state, plan: best?.plan ?? null, since, dueAt: dueAt === null ? null : Math.ceil(dueAt), actor };
};
