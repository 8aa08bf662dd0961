import type { Events } from '../events.ts';
import type { Delivery, OutboxState } from '../outbox.ts';
import type { ListedDelivery } from './listed-delivery.ts';
import type { WhichDeliveries } from './ports.ts';

/** Webhooks to other servers, as `createWebhooks` gives them. */
export interface Webhooks {
  /** Hears events and puts each into the outbox of every endpoint. */
  readonly events: Events;
  /** What operators do with webhooks. */
  readonly operate: WebhooksOperate;
  /** The work between requests: `compose().start()` runs it. */
  readonly background: WebhooksBackground;
}

export interface DeliveryCounts extends Readonly<Record<OutboxState, number>> {
  /** Epoch milliseconds. */
  readonly oldestAt: number | null;
}

/** What operators do with webhooks. */
export interface WebhooksOperate {
  /** All deliveries that are not done, by id. */
  listDeliveries(): AsyncIterable<ListedDelivery>;
  /**
   * Makes one delivery due now, or all of them (null), and lets dead ones live again. Says how many. Throws `missing`
   * (`delivery_not_found`).
   */
  retryDeliveries(id: string | null): Promise<number>;
  /** How many deliveries are not done, by state, and when the oldest was made that is not dead; null for none. */
  countDeliveries(): Promise<DeliveryCounts>;
  /**
   * Removes one delivery by its id, or all to an endpoint, by its address in the settings of now or before, or as
   * `listDeliveries` has it. They reach nobody any more. Says how many. Throws `missing` (`delivery_not_found`).
   */
  discardDeliveries(which: WhichDeliveries): Promise<number>;
  /**
   * Sends a message of the type `webhook.test` to one of the addresses in the settings, and answers what became of it.
   * Throws `missing` (`endpoint_not_found`).
   */
  tryEndpoint(url: string): Promise<Delivery>;
}

export interface WebhooksBackground {
  /** Sends what is due, under the lease with this fencing number. Says how many were taken. */
  deliver(fence: number): Promise<number>;
}
