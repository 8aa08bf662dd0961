import { BYTES, CALL, listOf, OBJECT, orNull, record, TEXT } from '../arguments.ts';
import type { Checkout } from './checkout.ts';

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
  replay: { id: orNull(TEXT) },
};
