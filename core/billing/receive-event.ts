import { TRUE } from '../answer-schemas.ts';
import type { RequestHead } from '../ports.ts';
import { object, type TypeOf } from '../schema.ts';
import type { Deps } from './deps.ts';
import type { EventRecord, ListedEvent, SignedDelivery } from './ports.ts';

/** A delivery as it enters the ledger: due at once. */
export const newEvent = ({ id, body }: SignedDelivery, receivedAt: number): EventRecord => ({
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

/** The provider's name for the event: every supported body is an object with a `type`. An erased body has none. */
const typeOf = (body: string | null): string | null => {
  if (body === null) return null;
  try {
    const parsed: { readonly type?: unknown } | null = JSON.parse(body);
    return typeof parsed?.type === 'string' ? parsed.type : null;
  } catch {
    return null;
  }
};

/**
 * Reduces the body of an ignored delivery to its type, which lists show; null if it has none. The names and addresses in the
 * body are dropped now: the delivery's user may be unknown, and the deletion of the account could not find the delivery later.
 */
export const reduceToType = (body: string): string | null => {
  const type = typeOf(body);
  return type === null ? null : JSON.stringify({ type });
};

/** A delivery as lists show it. All ledgers use this function. */
export const listedEvent = ({ body, ...event }: EventRecord): ListedEvent => ({
  ...event,
  type: typeOf(body),
});

export const receivedEvent = object({ received: TRUE });

export const makeReceiveEvent =
  ({ clock, ledger, log, provider, wake }: Pick<Deps, 'clock' | 'ledger' | 'log' | 'provider' | 'wake'>) =>
  async (headers: RequestHead['headers'], raw: Uint8Array): Promise<TypeOf<typeof receivedEvent>> => {
    const now = clock.now();
    const delivery = await provider.readDelivery(headers, raw, now);
    if (await ledger.add(delivery, now)) {
      log.info('billing.event_received', { id: delivery.id });
      wake();
    }
    return { received: true };
  };
