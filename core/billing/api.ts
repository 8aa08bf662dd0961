import type { Checkout } from './checkout.ts';
import type { EventPage, EventView, ListEvents } from './list-events.ts';
import type { PlanView } from './list-plans.ts';
import type { Reconciled } from './reconcile.ts';
import type { Replayed } from './replay.ts';
import type { SubscriptionView } from './show-subscription.ts';

/**
 * Billing, as `createBilling` gives it. A refusal is a `CoreError` with a stable `code`. Every call that uses the store
 * or the provider may also throw `unavailable` while that is down; try again later.
 */
export interface Billing {
  /**
   * Begins a purchase: answers where the user pays. `address` is the client's, for the provider's tax rules. Throws
   * `invalid` (`invalid_plan`, `invalid_billing_cycle`, `checkout_refused`) and `conflict` (`already_subscribed`).
   */
  checkout(userId: string, input: Checkout, address: string): Promise<{ readonly url: string }>;
  /** Answers where the user manages what they bought. Throws `invalid` (`no_billing_customer`). */
  openPortal(userId: string): Promise<{ readonly url: string }>;
  /** The subscription that grants the user access now. Throws `missing` (`no_active_subscription`). */
  showSubscription(userId: string): Promise<SubscriptionView>;
  /**
   * The plans that can be bought, with their prices, which are at most an hour old. Throws `unavailable`
   * (`price_unavailable`).
   */
  listPlans(): Promise<{ readonly plans: readonly PlanView[] }>;
  /**
   * Takes a webhook delivery of the provider (Standard Webhooks). It is stored durably when this resolves, and applied
   * soon after, in any order. A known id changes nothing. Throws `forbidden` (`invalid_signature`).
   */
  receiveEvent(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    raw: Uint8Array,
  ): Promise<{ readonly received: true }>;
  /** Makes provider and ledger forget a user whose account is deleted. May be repeated. */
  forget(userId: string, customerIds: readonly string[]): Promise<void>;
  /** What operators do with billing. */
  readonly operate: BillingOperate;
  /** The work between requests: `compose().start()` runs it. */
  readonly background: BillingBackground;
}

/** What operators do with billing. */
export interface BillingOperate {
  /** Asks the provider about a user and takes over its answer. Throws `missing` (`user_not_found`). */
  reconcile(userId: string): Promise<void>;
  /**
   * The same for every user that billing knows of, a page at a time. `pause` waits so many milliseconds where the
   * provider asks for it. Failures are counted and passed over.
   */
  reconcileAll(
    onProgress: (done: Reconciled) => void,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<Reconciled>;
  /** How many users billing knows of. */
  countCustomers(): Promise<number>;
  /** Deliveries of the payment provider, the newest first, a page at a time. Throws `invalid` (`invalid_cursor`). */
  listEvents(filter: ListEvents): Promise<EventPage>;
  /** The newest 50 of a user. */
  listEventsOf(userId: string): Promise<readonly EventView[]>;
  /** Applies an event again that could not be applied, or all of them (null). Throws `missing` (`event_not_found`). */
  replay(id: string | null): Promise<Replayed>;
}

/** The work between requests. A number in the answer is how many entries were done: 0 means that nothing was due. */
export interface BillingBackground {
  /** Applies received events. Each may be applied again, in any order and by several processes. */
  applyEvents(): Promise<number>;
  /** Looks at users whose billing changes with time: the end of a period or a grace, a renewal that did not come. */
  lookAtDue(): Promise<number>;
  /** Removes events that were applied long ago. */
  sweepEvents(): Promise<number>;
}
