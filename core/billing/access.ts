import type { BillingPolicy } from './policy.ts';
import type { BillingChange } from './ports.ts';
import { type BillingState, isNewer, type KnownSubscription } from './subscription.ts';

/** For how long a subscription grants its plan: `until` is null while nothing that is known ends it. */
interface Grant {
  readonly until: number | null;
}

/** What billing makes of a user at one time. */
interface BillingAccess {
  /** The best subscription that grants, if any. */
  readonly best: KnownSubscription | undefined;
  /** Since when it is so, as far as what the provider said goes; epoch milliseconds. */
  readonly since: number;
  /** When it may be another without any further event; null for never. */
  readonly changesAt: number | null;
  /** When the provider is to be asked, since a renewal should have come, or its last answer left doubt; null for never. */
  readonly asksAt: number | null;
}

const ENDLESS: Grant = { until: null };

const canceledEnd = ({ currentPeriodEnd, endedAt }: KnownSubscription): number =>
  Math.min(currentPeriodEnd ?? 0, endedAt ?? Number.POSITIVE_INFINITY);

/** Undefined when the status grants nothing. The status decides, and only then the kind of the event. */
const grantOf = (one: KnownSubscription, policy: BillingPolicy): Grant | undefined => {
  if (one.plan === null || one.revoked) return undefined;
  switch (one.status) {
    case 'active':
    case 'trialing':
      return one.cancelAtPeriodEnd ? { until: one.currentPeriodEnd } : ENDLESS;
    case 'canceled':
      return { until: canceledEnd(one) };
    case 'past_due':
      return { until: (one.pastDueAt ?? one.order.at / 1_000) + policy.pastDueGrace };
    default:
      return undefined;
  }
};

const isDeleted = (state: BillingState, one: KnownSubscription): boolean => {
  const deleted = state.customers.find(({ id }) => id === one.customerId)?.deleted ?? null;
  return deleted !== null && !isNewer(one.order, deleted);
};

/** When the provider is asked about one that waits for its renewal: a day after the period, then a day after each try. */
const askAt = (state: BillingState, one: KnownSubscription, policy: BillingPolicy): number | null => {
  const renews = (one.status === 'active' || one.status === 'trialing') && !one.cancelAtPeriodEnd;
  if (!renews || one.currentPeriodEnd === null) return null;
  const answeredAt = state.answered === null ? 0 : state.answered.at / 1_000;
  return Math.max(
    one.currentPeriodEnd + policy.renewalPatience,
    answeredAt + policy.renewalAskEvery,
    (state.triedAt ?? 0) + policy.renewalAskRetry,
  );
};

/** When the provider is asked again since an event came too close to its last answer for either to be surely newer. */
const settlesAt = (
  { answered, subscriptions, triedAt }: BillingState,
  policy: BillingPolicy,
): number | null => {
  if (answered === null) return null;
  const end = answered.at + policy.answerMargin * 1_000;
  const close = subscriptions
    .map(({ order }) => order)
    .filter((one) => isNewer(one, answered) && one.at <= end);
  if (close.length === 0) return null;
  const last = Math.max(...close.map(({ at }) => at)) / 1_000;
  return Math.max(last + policy.answerMargin, (triedAt ?? 0) + policy.renewalAskRetry);
};

const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

/** A pure function of what was said, and of the time. Of several subscriptions the best counts, of equals the newest. */
export const billingAccess = (state: BillingState, now: number, policy: BillingPolicy): BillingAccess => {
  const grants = state.subscriptions
    .filter((one) => !isDeleted(state, one))
    .map((one) => ({ one, grant: grantOf(one, policy) }));
  const holding = grants.filter(
    ({ grant }) => grant !== undefined && (grant.until === null || grant.until > now),
  );
  const worth = ({ plan }: KnownSubscription) => policy.tiers.indexOf(plan ?? '');
  const best = holding
    .map(({ one }) => one)
    .reduce<KnownSubscription | undefined>((first, one) => {
      if (first === undefined || worth(one) > worth(first)) return one;
      return worth(one) === worth(first) && isNewer(one.order, first.order) ? one : first;
    }, undefined);
  const said = [
    ...state.subscriptions.map(({ order }) => order.at / 1_000),
    ...state.customers.map(({ deleted }) => (deleted?.at ?? 0) / 1_000),
    ...grants.map(({ grant }) => grant?.until ?? 0).filter((until) => until <= now),
  ];
  return {
    best,
    since: Math.floor(Math.max(0, ...said)),
    changesAt: earliest(holding.map(({ grant }) => grant?.until ?? null)),
    asksAt: earliest([settlesAt(state, policy), ...holding.map(({ one }) => askAt(state, one, policy))]),
  };
};

const first = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** A state with what it grants at `now`, and when to look at it again. */
export const settleAccess = (
  state: BillingState,
  now: number,
  policy: BillingPolicy,
  actor: BillingChange['actor'],
): BillingChange => {
  const { best, since, changesAt, asksAt } = billingAccess(state, now, policy);
  // The provider's times are microseconds.
  const dueAt = first(changesAt, asksAt);
  return { state, plan: best?.plan ?? null, since, dueAt: dueAt === null ? null : Math.ceil(dueAt), actor };
};
