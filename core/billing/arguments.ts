import { BYTES, CALL, COUNT, listOf, OBJECT, oneOf, optional, orNull, record, TEXT } from '../arguments.ts';
import type { Checkout } from './checkout.ts';
import type { ListEvents } from './list-events.ts';

/** What the calls for billing take. */
export const billingArguments = {
  checkout: { userId: TEXT, input: record<Checkout>({ plan: TEXT, billingCycle: TEXT }), address: TEXT },
  openPortal: { userId: TEXT },
  showSubscription: { userId: TEXT },
  receiveEvent: { headers: OBJECT, raw: BYTES },
  forget: { userId: TEXT, customerIds: listOf(TEXT) },
};

export const billingOperateArguments = {
  reconcile: { userId: TEXT },
  reconcileAll: { onProgress: CALL, pause: CALL },
  listEvents: {
    filter: record<ListEvents>({
      standing: optional(oneOf('pending', 'waiting', 'applied', 'ignored', 'dead')),
      cursor: optional(TEXT),
      limit: optional(COUNT),
    }),
  },
  listEventsOf: { userId: TEXT },
  replay: { id: orNull(TEXT) },
};
