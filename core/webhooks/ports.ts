import type { UserEvent } from '../events.ts';
import type { Delivery, Outbox, OutboxState, Sendable } from '../outbox.ts';
import type { Clock, Log, Random } from '../ports.ts';

/** An event that waits for delivery to one endpoint. */
export interface WebhookEntry extends Sendable {
  /** The event's id and the endpoint's id: one entry for each endpoint. */
  readonly id: string;
  /** The endpoint and the user: the events of a user reach an endpoint in order. */
  readonly to: string;
  readonly endpoint: string;
  readonly event: UserEvent;
}

/** One delivery, or all deliveries to an endpoint. */
export type DeliverySelection = { readonly id: string } | { readonly endpoint: string };

/** Deliveries that wait to be sent. */
export interface WebhookStore extends Omit<Outbox<WebhookEntry>, 'listDue'> {
  /** Lists each `to` of one endpoint with a due delivery: by endpoint, so that an endpoint that is down delays no other. */
  listDue(now: number, limit: number, endpoint: string): Promise<readonly string[]>;
  /** Removes one delivery, or all of an endpoint, in any state. Returns the count. */
  discard(which: DeliverySelection): Promise<number>;
}

/** An address of the settings that receives events. */
export interface Endpoint {
  /** Constant for an address, and does not reveal it. */
  readonly id: string;
  /** The address without its query, for people. */
  readonly name: string;
}

/** A message as it is sent. */
export interface WebhookMessage {
  /** The same for all attempts and endpoints, so that a receiver recognises repetitions. */
  readonly id: string;
  readonly body: string;
}

/** Sends one message; answers within a deadline of its own and does not throw. */
export interface WebhookSender {
  readonly endpoints: readonly Endpoint[];
  /** The id of an endpoint with this address, even if the settings no longer contain it. */
  idOf(url: string): string;
  send(endpoint: string, message: WebhookMessage): Promise<Delivery>;
}

/** The ports of the webhooks. `createWebhooks` makes the use cases from them. */
export interface WebhooksPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: WebhookStore;
  readonly sender: WebhookSender;
  /** Called after a delivery became due, so that background work starts at once. */
  readonly wake: () => void;
}

/**
 * A delivery of the outbox: `waiting` for its first attempt, `failing` between attempts, `dead` after the last attempt or
 * if its endpoint is no longer in the settings.
 */
export interface ListedDelivery {
  readonly id: string;
  readonly state: OutboxState;
  /** The endpoint's address without its query; its id if the settings do not contain it. */
  readonly endpoint: string;
  readonly type: string;
  readonly userId: string;
  /** ISO 8601, like all times of this view. */
  readonly createdAt: string;
  readonly tries: number;
  /** The time of the next attempt; null if none follows. */
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}
