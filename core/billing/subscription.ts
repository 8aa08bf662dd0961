import { object, text } from '../schema.ts';
import type { EventOrder } from './event-order.ts';

export const BILLING_CYCLES = ['monthly', 'yearly'] as const;
export type BillingCycle = (typeof BILLING_CYCLES)[number];

export const PLAN = text({ examples: ['pro'] });
export const PRODUCT = object({ name: text({ examples: ['Pro'] }) });

/** The cost of one interval. */
export interface Cost {
  /** Hundredths of `currency`, also of one without a smaller unit, such as the yen. */
  readonly amount: number;
  /** ISO 4217, in lower case. */
  readonly currency: string;
  /** `day`, `week`, `month` or `year`; several as `3 months`. */
  readonly interval: string;
}

/** A subscription as the provider describes it at one time. Times are epoch milliseconds. */
export interface Subscription extends Cost {
  readonly id: string;
  readonly customerId: string;
  /** The provider's word; the set is open. */
  readonly status: string;
  /** The tier of the product; null for a product that the settings do not name. */
  readonly plan: string | null;
  readonly billingCycle: BillingCycle | null;
  readonly productName: string;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pastDueAt: number | null;
  readonly endedAt: number | null;
}

/** A subscription after its newest event, or the provider's answer about it if that is newer. */
export interface SubscriptionState extends Subscription {
  /** The order of that event or answer. */
  readonly order: EventOrder;
  /** Whether that event revoked the subscription, whatever its status. */
  readonly revoked: boolean;
  /**
   * Present only after an answer that lacked the product's name and the number in an interval such as `3 months`: the order of
   * the older event that supplied both. Null until an event supplies them; the plan stands for the name meanwhile.
   */
  readonly productFrom?: EventOrder | null;
}

/** A customer of the provider who is the user. */
export interface LinkedCustomer {
  readonly id: string;
  /** The newest event that deleted the customer; older events about their subscriptions are ignored. */
  readonly deleted: EventOrder | null;
}

/** Everything that billing knows about a user, by the newest events and answers. */
export interface BillingState {
  readonly customers: readonly LinkedCustomer[];
  readonly subscriptions: readonly SubscriptionState[];
  /** Whether any event or answer ever granted a plan: from then on the user has an entitlement. */
  readonly granted: boolean;
  /** The order of the provider's last answer. It was about all the user's subscriptions, so older events are ignored. */
  readonly answered: EventOrder | null;
  /**
   * When the question of that answer was asked, epoch milliseconds by our clock. The next question depends on this time, because
   * the answer may have any time: a proxy may repeat an old one. Absent before the first answer, and in older records.
   */
  readonly askedAt?: number;
  /**
   * When a due question last got no answer, or was not asked because the provider was down; epoch milliseconds. Null if
   * that has not happened since the last answer.
   */
  readonly triedAt: number | null;
  /**
   * When the account was restored after a deletion, epoch milliseconds; the provider's next answer removes it. Events that
   * arrived between the deletion and the restoration were dropped, so the provider must be asked.
   */
  readonly restoredAt?: number;
}

export const NO_BILLING: BillingState = {
  customers: [],
  subscriptions: [],
  granted: false,
  answered: null,
  triedAt: null,
};
