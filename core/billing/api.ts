import type { RequestHead } from '../ports.ts';
import type { CheckoutInput, ProviderPage } from './checkout.ts';
import type { ReplayResult } from './failed-events.ts';
import type { EventPage, EventView, ListEventsInput } from './list-events.ts';
import type { PlanView } from './list-plans.ts';
import type { ReconcileResult } from './reconcile.ts';
import type { SubscriptionView } from './show-subscription.ts';

/**
 * Billing, as `createBilling` gives it. A refusal is a `CoreError` with a stable `code`. Every call that uses the store
 * or the provider may also throw `unavailable` while that is down; try again later.
 */
export interface Billing {
  /**
   * Begins a purchase and returns the URL of the payment page. `address` is the client's IP address, for the provider's
   * tax rules. Throws `invalid` (`invalid_plan`, `invalid_billing_cycle`, `checkout_refused`), `conflict`
   * (`already_subscribed`) and `missing` (`user_not_found`).
   */
  checkout(userId: string, input: CheckoutInput, address: string): Promise<ProviderPage>;
  /** Returns the address where the user manages their purchases. Throws `invalid` (`no_billing_customer`). */
  openPortal(userId: string): Promise<ProviderPage>;
  /**
   * The subscription that grants the user access now. Throws `missing` (`no_active_subscription`) and `unavailable`
   * (`price_unavailable`).
   */
  showSubscription(userId: string): Promise<SubscriptionView>;
  /**
   * The plans that can be bought, with prices that the provider gave at most an hour ago. Throws `unavailable`
   * (`price_unavailable`).
   */
  listPlans(): Promise<{ readonly plans: readonly PlanView[] }>;
  /**
   * Receives a webhook delivery of the provider (Standard Webhooks). The event is stored durably when this resolves, and
   * applied soon after, in any order. A delivery with a known id is ignored. Throws `forbidden` (`invalid_signature`).
   */
  receiveEvent(headers: RequestHead['headers'], raw: Uint8Array): Promise<{ readonly received: true }>;
  /**
   * Erases a user from the ledger and at the provider; for users whose account is deleted. Idempotent. Throws `refused`
   * (`billing_refused`).
   */
  forget(userId: string, customerIds: readonly string[]): Promise<void>;
  /** Gives a user's new email to the provider. Idempotent. Throws `refused` (`billing_refused`). */
  changeEmail(userId: string, email: string): Promise<void>;
  /** What operators do with billing. */
  readonly operate: BillingAdmin;
  /** The work between requests, which `start` of the composed product runs. */
  readonly background: BillingBackground;
}

export interface BillingAdmin {
  /** Asks the provider about a user and stores its answer. Throws `missing` (`user_not_found`). */
  reconcile(userId: string): Promise<void>;
  /**
   * Reconciles every user that has a billing state, a page at a time. When the provider limits requests, `pause` is awaited with
   * the milliseconds until the limit ends. Failures are counted and skipped.
   */
  reconcileAll(
    onProgress: (done: ReconcileResult) => void,
    pause: (milliseconds: number) => Promise<void>,
  ): Promise<ReconcileResult>;
  /** The number of users that have a billing state. */
  countCustomers(): Promise<number>;
  /** Deliveries of the payment provider, the newest first, a page at a time. Throws `invalid` (`invalid_cursor`). */
  listEvents(filter: ListEventsInput): Promise<EventPage>;
  /** The newest 50 deliveries about a user. */
  listEventsOf(userId: string): Promise<readonly EventView[]>;
  /**
   * Retries an event that could not be applied, or all such events (null). Awaits `beforeRetry` once the event is found,
   * before anything is changed. Throws `missing` (`event_not_found`).
   */
  replay(id: string | null, beforeRetry?: () => Promise<unknown>): Promise<ReplayResult>;
}

/** The work between requests. If a job returns a number above 0, it is repeated at once; after 0 it waits for its next run. */
export interface BillingBackground {
  /** Applies received events. An event may be applied repeatedly, in any order and by several processes. */
  applyEvents(): Promise<number>;
  /** Checks users whose billing changes with time: the end of a period or a grace, a missing renewal. */
  checkDue(): Promise<number>;
  /** Removes events that came, or were last replayed, long ago and are not pending. */
  sweepEvents(): Promise<number>;
}
