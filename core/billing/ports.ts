import type { Clock, Digest, Log } from '../ports.ts';
import type { ProviderAnswer, ProviderEvent } from './state.ts';
import type { BillingCycle, BillingState } from './subscription.ts';

/** Who buys. */
export interface Buyer {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  /** The client address. */
  readonly address: string;
}

/** What a plan costs at the provider. */
export interface PlanPrice {
  readonly plan: string;
  readonly billingCycle: BillingCycle;
  readonly productName: string;
  /** Cents of `currency`. */
  readonly amount: number;
  /** ISO 4217, in lower case. */
  readonly currency: string;
  /** day, week, month or year. */
  readonly interval: string;
}

/** A delivery that was signed by the provider, over exactly these bytes. */
export interface SignedDelivery {
  readonly id: string;
  readonly body: string;
}

/**
 * The payment provider. Calls out throw `unavailable` (`billing_unavailable`) while it is down, slow, or says that it
 * is asked too often.
 */
export interface BillingProvider {
  /** Where the buyer pays. Throws `conflict` (`already_subscribed`), `invalid` (`checkout_refused`). */
  checkout(buyer: Buyer, plan: string, cycle: BillingCycle): Promise<string>;
  /** Where the customer manages what they bought; undefined when the provider knows no such customer. */
  portal(userId: string): Promise<string | undefined>;
  /** What it sells at a fixed price: each plan and cycle at most once, and nothing that it does not sell any more. */
  prices(): Promise<readonly PlanPrice[]>;
  /** The provider's current state of a user. */
  stateOf(userId: string): Promise<ProviderAnswer>;
  /** Milliseconds for which it asked to be left alone, since it was asked too often; 0 when it did not. */
  restsFor(): number;
  /**
   * Makes the provider forget who the customer is. Done once it resolves, also when there is none. Throws `refused`
   * (`billing_refused`) where the provider says no, and will until somebody acts.
   */
  anonymise(userId: string): Promise<void>;
  /**
   * Checks who sent a delivery: by its headers (names in lower case), the raw bytes and the time. Throws `forbidden`
   * (`invalid_signature`).
   */
  readDelivery(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    raw: Uint8Array,
    now: number,
  ): Promise<SignedDelivery>;
  /** The event in a delivery; undefined if it is irrelevant here. */
  understand(delivery: SignedDelivery): ProviderEvent | undefined;
}

/** `pending`: to be applied. `waiting`: for the user of its customer to become known. */
export type EventStanding = 'pending' | 'waiting' | 'applied' | 'ignored' | 'dead';

export interface StoredEvent extends SignedDelivery {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly tries: number;
}

/** A delivery as a ledger keeps it, with what became of it. */
export interface KeptEvent {
  readonly id: string;
  readonly standing: EventStanding;
  readonly receivedAt: number;
  readonly dueAt: number;
  readonly tries: number;
  readonly customerId: string | null;
  readonly userId: string | null;
  readonly lastFailure: string | null;
  /** Null once erased. */
  readonly body: string | null;
}

/** A delivery in a list: what it says stays in the ledger, but for its kind. */
export interface ListedEvent extends Omit<KeptEvent, 'body'> {
  /** The provider's name for such an event; null where it gives none, or once the body is erased. */
  readonly type: string | null;
}

/** A place in the list of deliveries. */
export type EventPlace = Pick<KeptEvent, 'receivedAt' | 'id'>;

/** Every delivery there was, by its id. */
export interface EventLedger {
  /** Durable when it resolves. False when the id is known: then this body counts for nothing. */
  add(delivery: SignedDelivery, receivedAt: number): Promise<boolean>;
  /** Pending ones due by `now`, the longest waiting first. */
  listDue(now: number, limit: number): Promise<readonly StoredEvent[]>;
  /** It is done with; `userId` is whose it is, where that is known. Only a pending one, as for the next three. */
  settle(id: string, standing: 'applied' | 'ignored', userId: string | null): Promise<void>;
  wait(id: string, customerId: string): Promise<void>;
  postpone(id: string, dueAt: number, failure: string): Promise<void>;
  /** It cannot be applied as things are; `userId` is whose it is, where that is known. */
  bury(id: string, failure: string, userId: string | null): Promise<void>;
  /** Makes those pending that wait for a customer's user. */
  release(customerId: string, now: number): Promise<number>;
  /** Makes waiting and dead ones pending again: one, or all (null). Says how many. */
  retry(id: string | null, now: number): Promise<number>;
  /** Undefined for an id that is not known. */
  standing(id: string): Promise<EventStanding | undefined>;
  /** All there are, or those of a standing: the newest first, then by id, the greatest first; from the one after `after`. */
  list(
    filter: { readonly standing?: EventStanding },
    after: EventPlace | null,
    limit: number,
  ): Promise<readonly ListedEvent[]>;
  /** The newest of a user. */
  listOf(userId: string, limit: number): Promise<readonly ListedEvent[]>;
  /** How many are of this standing. */
  count(standing: EventStanding): Promise<number>;
  /** Empties what was said about a user; the ids stay. */
  eraseOf(userId: string, customerIds: readonly string[]): Promise<void>;
  /** Removes those received before `before` that are not pending, the oldest first, at most `limit`; says how many. */
  sweep(before: number, limit: number): Promise<number>;
}

/** Which user a customer of the provider is. */
export interface CustomerLinks {
  find(customerId: string): Promise<string | undefined>;
  /** True if the link is new. A customer of another user moves to this one. */
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
  /** Since when that is so, epoch milliseconds. */
  readonly since: number;
  /** When to look at it again without any event; null for never. */
  readonly dueAt: number | null;
  /** The cause for the audit log: a delivery, an answer of the provider, or the time. */
  readonly actor: 'provider' | 'system';
}

/** The users; what billing says stands in the user's own record, and changes with it in one conditional write. */
export interface Subscribers {
  /** Undefined for one who has no account, or none any more. */
  find(userId: string): Promise<Subscriber | undefined>;
  /** Whether there is such an account, or was one that its owner had deleted. */
  knows(userId: string): Promise<boolean>;
  /**
   * Changes what billing knows of a user; `decide` gives undefined when there is nothing to change, and may be called
   * again. With its audit row where access changes. False when there is no account.
   */
  change(userId: string, decide: (state: BillingState | null) => BillingChange | undefined): Promise<boolean>;
  /** Users whose billing is to be looked at by `now`. */
  listDue(now: number, limit: number): Promise<readonly string[]>;
  /** Users with a billing state, by id, from the one after `after` (null: the first). */
  list(after: string | null, limit: number): Promise<readonly string[]>;
}

/** A day's rate: złoty for a dollar, as exact text such as `3.6521`. */
export interface Rate {
  readonly mid: string;
  /** The day it was published for, `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

/** Where rates come from. Throws `unavailable` for no answer, or one that is no rate. */
export interface RateSource {
  latest(): Promise<Rate>;
}

/** The rates that were believed, kept over restarts. */
export interface KeptRates {
  /** The last good one. */
  readonly good: Rate | null;
  /** When it was last confirmed by the source, epoch milliseconds. */
  readonly confirmedAt: number;
  /** One that jumped and waits to be confirmed by another day. */
  readonly doubted: Rate | null;
}

export interface RateStore {
  read(): Promise<KeptRates | undefined>;
  write(rates: KeptRates): Promise<void>;
}

/** The ports of the billing half. `createBilling` makes the use cases from them. */
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
  /** Called when an event was stored, so that background work need not wait for its next look. */
  readonly wake: () => void;
}
