import type { Happened } from '../events.ts';
import type { Delivery, Outbox, Sendable } from '../outbox.ts';
import type { Clock, Log, Random } from '../ports.ts';

/** An event on its way to one endpoint. */
export interface WebhookEntry extends Sendable {
  /** The id of the event with the endpoint's: one entry for each endpoint. */
  readonly id: string;
  /** The endpoint with the user: the events of a user reach an endpoint in order. */
  readonly to: string;
  readonly endpoint: string;
  readonly event: Happened;
}

/** One delivery, or all to an endpoint. */
export type WhichDeliveries = { readonly id: string } | { readonly endpoint: string };

/** Deliveries that wait to be sent. */
export interface WebhookStore extends Omit<Outbox<WebhookEntry>, 'listDue'> {
  /** As for any outbox, of one endpoint: one that is down holds up no other. */
  listDue(now: number, limit: number, endpoint: string): Promise<readonly string[]>;
  /** Removes one, or all of an endpoint, whatever their state. Says how many. */
  discard(which: WhichDeliveries): Promise<number>;
}

/** An address of the settings that hears events. */
export interface Endpoint {
  /** Stays the same for an address, and does not tell it. */
  readonly id: string;
  /** The address without its query, for people. */
  readonly name: string;
}

/** An event as it is sent. */
export interface WebhookMessage {
  /** The same over all tries and endpoints, so that a receiver knows a repetition. */
  readonly id: string;
  readonly body: string;
}

/** Sends one message; answers within a deadline of its own and does not throw. */
export interface WebhookSender {
  readonly endpoints: readonly Endpoint[];
  /** The id that an endpoint with this address has, or had. */
  idOf(url: string): string;
  send(endpoint: string, message: WebhookMessage): Promise<Delivery>;
}

/** The ports of the webhooks. `createWebhooks` makes them from these. */
export interface WebhooksPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: WebhookStore;
  readonly sender: WebhookSender;
  /** Called after something became due, so that background work need not wait for its next look. */
  readonly wake: () => void;
}
