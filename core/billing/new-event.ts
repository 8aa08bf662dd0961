import type { KeptEvent, SignedDelivery } from './ports.ts';

/** A delivery as it enters the ledger: due at once. */
export const newEvent = ({ id, body }: SignedDelivery, receivedAt: number): KeptEvent => ({
  id,
  standing: 'pending',
  receivedAt,
  dueAt: receivedAt,
  tries: 0,
  customerId: null,
  userId: null,
  lastFailure: null,
  body,
});
