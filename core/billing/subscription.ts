/** Where an event stands among all of a provider, whenever and however often it arrives. */
export interface EventOrder {
  /** Epoch microseconds, as the provider tells them. */
  readonly at: number;
  /** Decides between events of one microsecond: what comes of a kind that stands later in the list of kinds is newer. */
  readonly rank: number;
  /** The delivery's id; decides between what is equal otherwise. */
  readonly id: string;
}

/** Whether the first is newer. An event is never newer than itself, so nothing is applied twice. */
export const isNewer = (one: EventOrder, other: EventOrder): boolean => {
  if (one.at !== other.at) return one.at > other.at;
  if (one.rank !== other.rank) return one.rank > other.rank;
  return one.id > other.id;
};

/** Kinds by what follows what when two events bear one time. */
const KINDS = [
  'created',
  'active',
  'resumed',
  'updated',
  'uncanceled',
  'past_due',
  'canceled',
  'paused',
  'revoked',
  'deleted',
];

/** The rank of a kind such as `subscription.updated`. */
export const rankOf = (kind: string): number => KINDS.indexOf(kind.slice(kind.lastIndexOf('.') + 1));

/** The provider's own answer: newer than every event up to then. */
export const answered = (milliseconds: number): EventOrder => ({
  at: milliseconds * 1_000,
  rank: KINDS.length,
  id: '',
});

export type BillingCycle = 'monthly' | 'yearly';

/** A subscription as the provider describes it at one time. Times are epoch milliseconds. */
export interface Subscription {
  readonly id: string;
  readonly customerId: string;
  /** The provider's word; the set is open. */
  readonly status: string;
  /** The tier that the product stands for; null for a product that the settings do not name. */
  readonly plan: string | null;
  readonly billingCycle: BillingCycle | null;
  readonly productName: string;
  /** Cents of `currency`. */
  readonly amount: number;
  /** ISO 4217, in lower case. */
  readonly currency: string;
  /** day, week, month or year. */
  readonly interval: string;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pastDueAt: number | null;
  readonly endedAt: number | null;
}

/** The state of a subscription after its newest event, and that event's order. */
export interface KnownSubscription extends Subscription {
  readonly order: EventOrder;
  /** Whether that event revoked it, whatever its status. */
  readonly revoked: boolean;
}

/** A customer of the provider who is the user. */
export interface KnownCustomer {
  readonly id: string;
  /** The newest event that deleted the customer; what is older about their subscriptions counts for nothing. */
  readonly deleted: EventOrder | null;
}

/** Everything that billing knows about a user: the newest of all that was said, whatever came first. */
export interface BillingState {
  readonly customers: readonly KnownCustomer[];
  readonly subscriptions: readonly KnownSubscription[];
  /** Whether anything that was said ever granted a plan: from then on there is an entitlement. */
  readonly granted: boolean;
  /** Up to when the provider's own answer was taken for all there is; older events count for nothing. */
  readonly answered: EventOrder | null;
  /** When the provider was last asked in vain, epoch milliseconds. */
  readonly triedAt: number | null;
}

export const NO_BILLING: BillingState = {
  customers: [],
  subscriptions: [],
  granted: false,
  answered: null,
  triedAt: null,
};
