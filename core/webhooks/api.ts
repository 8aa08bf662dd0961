import type { Events } from '../events.ts';
import type { Delivery, OutboxState } from '../outbox.ts';
import type { DeliverySelection, ListedDelivery } from './ports.ts';

/** Webhooks to other servers, as `createWebhooks` returns them. */
export interface Webhooks {
  /** Receives events and adds each to the outbox, once for every endpoint. */
  readonly events: Events;
  /** What operators do with webhooks. */
  readonly operate: WebhooksAdmin;
  /** The work between requests, which `start` of the composed product runs. */
  readonly background: WebhooksBackground;
}

export interface DeliveryCounts extends Readonly<Record<OutboxState, number>> {
  /** Epoch milliseconds. */
  readonly oldestAt: number | null;
}

/** What operators do with webhooks. */
export interface WebhooksAdmin {
  /** All unfinished deliveries, by id. */
  listDeliveries(): AsyncIterable<ListedDelivery>;
  /**
   * Makes one delivery due now, or all of them (null); dead deliveries are tried again. Awaits `begin` before anything is changed,
   * for an id once the delivery is found. Returns the count. Throws `missing` (`delivery_not_found`) for an unknown id.
   */
  retryDeliveries(id: string | null, begin?: () => Promise<unknown>): Promise<number>;
  /** The number of unfinished deliveries by state, and when the oldest delivery that is not dead was created; null for none. */
  countDeliveries(): Promise<DeliveryCounts>;
  /**
   * Removes one delivery by its id, or all deliveries to an endpoint: its current or former address, or its name as
   * `listDeliveries` shows it. The deliveries are lost. Awaits `begin` before anything is changed, for an id once the delivery is
   * found. Returns the count. Throws `missing` (`delivery_not_found`) for an unknown id, not for an endpoint without deliveries.
   */
  discardDeliveries(which: DeliverySelection, begin?: () => Promise<unknown>): Promise<number>;
  /**
   * Sends a message of the type `webhook.test` to an address in the settings, and returns the outcome. Throws `missing`
   * (`endpoint_not_found`).
   */
  tryEndpoint(url: string): Promise<Delivery>;
}

export interface WebhooksBackground {
  /** Sends due deliveries under the lease with this fencing number. Returns how many were accepted. */
  deliver(fence: number): Promise<number>;
}
