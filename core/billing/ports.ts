import type { Clock, Digest, Log, RequestHead } from '../ports.ts';
import type { ProviderAnswer, ProviderEvent } from './fold-events.ts';
import type { BillingCycle, BillingState, Cost } from './subscription.ts';

/** The user who buys. */
export interface Buyer extends Omit<Subscriber, 'state'> {
  /** The client's IP address. */
  readonly address: string;
}

/** The price of a plan at the provider. */
export interface PlanPrice extends Cost {
  readonly plan: string;
  readonly billingCycle: BillingCycle;
  readonly productName: string;
  /** What buyers get, as the provider describes it; null without a description. */
  readonly description: string | null;
}

/** A delivery whose exact bytes the provider signed. */
export interface SignedDelivery {
  readonly id: string;
  readonly body: string;
}

/**
 * The payment provider. Remote calls throw `unavailable` (`billing_unavailable`) while it is down, slow, or limits our
 * requests.
 */
export interface BillingProvider {
  /** Returns the address of the payment page. Throws `conflict` (`already_subscribed`), `invalid` (`checkout_refused`). */
  checkout(buyer: Buyer, plan: string, cycle: BillingCycle): Promise<string>;
  /** Returns the address where the customer manages their purchases; undefined if the provider has no such customer. */
  portal(userId: string): Promise<string | undefined>;
  /** Current fixed prices, at most one for each plan and cycle. */
  prices(): Promise<readonly PlanPrice[]>;
  /** The provider's current state of a user. */
  stateOf(userId: string): Promise<ProviderAnswer>;
  /** Milliseconds until the provider's rate limit ends; 0 if none is in force. */
  rateLimitEndsInMs(): number;
  /**
   * Erases the customer's identity at the provider; also resolves if there is no customer. Throws `refused`
   * (`billing_refused`) if the provider refuses, which lasts until an operator acts.
   */
  anonymise(userId: string): Promise<void>;
  /**
   * Gives the customer another email: a provider may take a buyer for the customer who has the buyer's email. Also resolves if
   * there is no customer, and if the provider does not accept the email, which is logged. Throws `refused` (`billing_refused`)
   * for any other refusal, which lasts until an operator acts.
   */
  changeEmail(userId: string, email: string): Promise<void>;
  /**
   * Verifies a delivery's signature by its headers (names in lower case), the raw bytes and the time. Throws `forbidden`
   * (`invalid_signature`).
   */
  readDelivery(headers: RequestHead['headers'], raw: Uint8Array, now: number): Promise<SignedDelivery>;
  /** Parses the event of a delivery; undefined if it is irrelevant here. */
  parseEvent(delivery: SignedDelivery): ProviderEvent | undefined;
}

export const EVENT_STATES = ['pending', 'waiting', 'applied', 'ignored', 'dead'] as const;
/** `pending`: not applied yet. `waiting`: the user of the customer is not known yet. */
export type EventState = (typeof EVENT_STATES)[number];

export interface StoredEvent extends SignedDelivery {
  /** When the delivery came or was last replayed, epoch milliseconds. */
  readonly receivedAt: number;
  readonly tries: number;
}

/** A delivery as the ledger stores it, its state under the earlier name `standing`. Times are epoch milliseconds. */
export interface EventRecord {
  readonly id: string;
  readonly standing: EventState;
  readonly receivedAt: number;
  readonly dueAt: number;
  readonly tries: number;
  readonly customerId: string | null;
  readonly userId: string | null;
  readonly lastFailure: string | null;
  /** Of an ignored delivery only the type, null if it has none. Null once erased. */
  readonly body: string | null;
}

/** A delivery in a list, without its content except the type. */
export interface ListedEvent extends Omit<EventRecord, 'body'> {
  /** The provider's name for the event; null if it has none or the body is erased. */
  readonly type: string | null;
}

export type EventPosition = Pick<EventRecord, 'receivedAt' | 'id'>;

/** The state that a pending delivery moves to, with what is stored beside it. `userId` is the delivery's user if known. */
export type EventMove =
  | { readonly state: 'applied'; readonly userId: string | null }
  /** `body` replaces the body of the delivery. */
  | { readonly state: 'ignored'; readonly userId: string | null; readonly body: string | null }
  | { readonly state: 'waiting'; readonly customerId: string }
  /** The delivery stays pending and is tried again at `dueAt`. */
  | { readonly state: 'pending'; readonly dueAt: number; readonly failure: string }
  | { readonly state: 'dead'; readonly failure: string; readonly userId: string | null };

/** All received deliveries, by id. */
export interface EventLedger {
  /** The delivery is stored durably when the promise resolves. False if the id is known: this body is ignored. */
  add(delivery: SignedDelivery, receivedAt: number): Promise<boolean>;
  /**
   * Pending deliveries due by `now`, the longest waiting first; then those due later than `latestRetry`, the latest time to
   * which a failure can postpone a delivery now. Those were postponed before the clock was set back.
   */
  listDue(now: number, limit: number, latestRetry: number): Promise<readonly StoredEvent[]>;
  /** Moves a pending delivery; any other stays as it is. */
  move(id: string, to: EventMove): Promise<void>;
  /** Makes the deliveries that wait for a customer's user pending again. Returns the count. */
  release(customerId: string, now: number): Promise<number>;
  /** Makes a waiting or dead delivery, or all of them (null), pending again, as if received now. Returns the count. */
  retry(id: string | null, now: number): Promise<number>;
  /** Undefined for an unknown id. */
  findState(id: string): Promise<EventState | undefined>;
  /** Deliveries, or those in one state: newest first, then by descending id; behind `after`. */
  list(
    filter: { readonly standing?: EventState },
    after: EventPosition | null,
    limit: number,
  ): Promise<readonly ListedEvent[]>;
  /** The newest deliveries about a user, with their bodies. */
  listOf(userId: string, limit: number): Promise<readonly EventRecord[]>;
  count(state: EventState): Promise<number>;
  /** Erases body, user and customer of the deliveries about a user or one of the customers, which then count as `ignored`. */
  eraseOf(userId: string, customerIds: readonly string[]): Promise<void>;
  /** Removes at most `limit` deliveries received before `before` that are not pending, the oldest first; returns the count. */
  sweep(before: number, limit: number): Promise<number>;
}

/** Which user a customer of the provider is. */
export interface CustomerLinks {
  find(customerId: string): Promise<string | undefined>;
  /** True if the link is new. A customer of another user moves to this user. */
  link(customerId: string, userId: string): Promise<boolean>;
  remove(userId: string): Promise<void>;
}

/** A user as far as billing is concerned. */
export interface Subscriber {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  /** Null before the first checkout or event. */
  readonly state: BillingState | null;
}

/** The result of a change of a user's billing. */
export interface BillingChange {
  readonly state: BillingState;
  /** The plan that billing grants now; null for none. */
  readonly plan: string | null;
  /** Since when the plan applies, epoch milliseconds. Where users' claims are trusted, a claim of that time or later wins. */
  readonly since: number;
  /** When to check again without any event; null for never. */
  readonly dueAt: number | null;
  /** The actor for the audit log: `provider` for a delivery or an answer, else `system`. */
  readonly actor: 'provider' | 'system';
}

/** The users. The billing state is part of the user's record and changes in one conditional write. */
export interface Subscribers {
  /** Undefined if there is no account, or it was deleted. */
  find(userId: string): Promise<Subscriber | undefined>;
  /** True if the account exists or was deleted; false for an unknown user, also after an unverified account was purged. */
  knows(userId: string): Promise<boolean>;
  /**
   * Changes a user's billing state; `decide` returns undefined to change nothing, and may be called repeatedly. Writes an
   * audit row if the access in effect or the billed access changes. False if there is no account.
   */
  change(userId: string, decide: (state: BillingState | null) => BillingChange | undefined): Promise<boolean>;
  /** Users whose billing must be checked by `now`. */
  listDue(now: number, limit: number): Promise<readonly string[]>;
  /** Users with a billing state, by id, behind `after` (null: from the first). */
  list(after: string | null, limit: number): Promise<readonly string[]>;
}

/** A day's rate: złoty for a dollar, as exact text such as `3.6521`. */
export interface Rate {
  readonly mid: string;
  /** The day it was published for, `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

/** A source of exchange rates. Throws `unavailable` if it does not answer, or the answer has no rate. */
export interface RateSource {
  latest(): Promise<Rate>;
}

/** The accepted rates, which survive restarts. */
export interface RatesRecord {
  /** The last good rate. */
  readonly good: Rate | null;
  /** When the source last confirmed the rate, epoch milliseconds. */
  readonly confirmedAt: number;
  /** A rate that jumped and waits for confirmation by another day. */
  readonly doubted: Rate | null;
}

export interface RateStore {
  read(): Promise<RatesRecord | undefined>;
  write(rates: RatesRecord): Promise<void>;
}

/** The ports of billing. `createBilling` makes the use cases from them. */
export interface BillingPorts {
  readonly clock: Clock;
  readonly digest: Digest;
  readonly log: Log;
  readonly provider: BillingProvider;
  readonly ledger: EventLedger;
  readonly links: CustomerLinks;
  readonly subscribers: Subscribers;
  readonly rateSource: RateSource;
  readonly rates: RateStore;
  /** Called when an event was stored, so that background work starts at once. */
  readonly wake: () => void;
}
