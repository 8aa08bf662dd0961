import { invalidCursor, makeTextCursor } from '../cursor.ts';
import type { Deps } from './deps.ts';
import type { EventPlace, EventStanding, ListedEvent } from './ports.ts';

export interface ListEventsInput {
  /** Absent: events in any state. */
  readonly standing?: EventStanding;
  /** The cursor of the previous page. */
  readonly cursor?: string;
  /** Limited to 200; 50 if absent. */
  readonly limit?: number;
}

/** A delivery of the payment provider as operators see it, without its content. */
export interface EventView {
  /** The `webhook-id`. */
  readonly id: string;
  /** The provider's name for the event; null if unknown. */
  readonly type: string | null;
  readonly standing: EventStanding;
  /** ISO 8601, like all times of this view. */
  readonly receivedAt: string;
  /** When the event will be applied; null unless it is pending. */
  readonly dueAt: string | null;
  readonly tries: number;
  readonly lastFailure: string | null;
  /** The user that the event is about; null if unknown. */
  readonly userId: string | null;
}

export interface EventPage {
  /** The newest first. */
  readonly events: readonly EventView[];
  /** Present while more events follow. */
  readonly cursor?: string;
}

/** Deliveries on a page. */
const PAGE = 50;
const LONGEST_PAGE = 200;

const view = (event: ListedEvent): EventView => ({
  id: event.id,
  type: event.type,
  standing: event.standing,
  receivedAt: new Date(event.receivedAt).toISOString(),
  dueAt: event.standing === 'pending' ? new Date(event.dueAt).toISOString() : null,
  tries: event.tries,
  lastFailure: event.lastFailure,
  userId: event.userId,
});

export const makeListEvents = ({ digest, ledger }: Pick<Deps, 'digest' | 'ledger'>) => {
  const cursors = makeTextCursor(digest, 'events');

  const placeOf = (cursor: string): EventPlace => {
    // An id may contain any characters, so the time comes first.
    const [, receivedAt, id] = /^(-?\d+) (.*)$/s.exec(cursors.read(cursor) ?? '') ?? [];
    if (id === undefined) throw invalidCursor();
    return { receivedAt: Number(receivedAt), id };
  };

  return async ({ standing, cursor, limit = PAGE }: ListEventsInput): Promise<EventPage> => {
    const most = Math.min(limit, LONGEST_PAGE);
    const after = cursor === undefined ? null : placeOf(cursor);
    const records = await ledger.list(standing === undefined ? {} : { standing }, after, most + 1);
    const page = records.slice(0, most);
    const events = page.map(view);
    const last = page.at(-1);
    if (records.length <= most || last === undefined) return { events };
    return { events, cursor: cursors.write(`${last.receivedAt} ${last.id}`) };
  };
};

export const makeListEventsOf =
  ({ ledger }: Pick<Deps, 'ledger'>) =>
  async (userId: string): Promise<readonly EventView[]> =>
    (await ledger.listOf(userId, PAGE)).map(view);
