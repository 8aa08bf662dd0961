import { TIME } from '../answer-schemas.ts';
import { invalidCursor, makeTextCursor } from '../cursor.ts';
import { isoTime, timeOrNull } from '../iso-times.ts';
import { pageMembers } from '../pagination.ts';
import { nullable, object, oneOf, optional, size, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import { EVENT_STATES, type EventPosition, type ListedEvent } from './ports.ts';
import { listedEvent } from './receive-event.ts';

export const listEventsInput = object({
  standing: optional(
    oneOf(EVENT_STATES, {
      description: 'The state of the delivery; `waiting`: the user of its customer is not known yet',
    }),
  ),
  ...pageMembers,
});
/** Without `standing`: events in any state. `cursor`: of the previous page. `limit`: at most 200; 50 if absent. */
export type ListEventsInput = TypeOf<typeof listEventsInput>;

export const eventView = object(
  {
    id: text({ description: 'The `webhook-id`', examples: ['msg_1'] }),
    type: nullable(
      text({
        description: 'The provider’s name for the event; null if it has none or was erased',
        examples: ['order.paid'],
      }),
    ),
    standing: oneOf(EVENT_STATES),
    receivedAt: TIME,
    dueAt: timeOrNull('When it is applied; null unless it is pending', '2026-11-21T18:00:00.000Z'),
    tries: size({ examples: [0] }),
    lastFailure: nullable(text({ description: 'Why the last try failed', examples: [null] })),
    userId: nullable(
      text({
        description: 'The user whom the delivery is about, if known',
        examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
      }),
    ),
  },
  { title: 'Delivery' },
);
/** A delivery of the payment provider as operators see it, without its content. Times are ISO 8601. */
export type EventView = TypeOf<typeof eventView>;

export interface EventPage {
  /** The newest first. */
  readonly events: readonly EventView[];
  /** Present while more events follow. */
  readonly cursor?: string;
}

const PAGE = 50;
const LONGEST_PAGE = 200;

const view = (event: ListedEvent): EventView => ({
  id: event.id,
  type: event.type,
  standing: event.standing,
  receivedAt: isoTime(event.receivedAt),
  dueAt: event.standing === 'pending' ? isoTime(event.dueAt) : null,
  tries: event.tries,
  lastFailure: event.lastFailure,
  userId: event.userId,
});

export const makeListEvents = ({ digest, ledger }: Pick<Deps, 'digest' | 'ledger'>) => {
  const cursors = makeTextCursor(digest, 'events');

  const positionOf = (cursor: string): EventPosition => {
    // An id may contain any characters, so the time comes first.
    const [, receivedAt, id] = /^(-?\d+) (.*)$/s.exec(cursors.read(cursor) ?? '') ?? [];
    if (id === undefined) throw invalidCursor();
    return { receivedAt: Number(receivedAt), id };
  };

  return async ({ standing, cursor, limit = PAGE }: ListEventsInput): Promise<EventPage> => {
    const pageSize = Math.min(limit, LONGEST_PAGE);
    const after = cursor === undefined ? null : positionOf(cursor);
    const records = await ledger.list(standing === undefined ? {} : { standing }, after, pageSize + 1);
    const page = records.slice(0, pageSize);
    const events = page.map(view);
    const last = page.at(-1);
    if (records.length <= pageSize || last === undefined) return { events };
    return { events, cursor: cursors.write(`${last.receivedAt} ${last.id}`) };
  };
};

export const makeListEventsOf =
  ({ ledger }: Pick<Deps, 'ledger'>) =>
  async (userId: string): Promise<readonly EventView[]> =>
    (await ledger.listOf(userId, PAGE)).map(listedEvent).map(view);
