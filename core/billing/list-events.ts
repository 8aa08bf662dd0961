import { invalidCursor, makeTextCursor } from '../cursor.ts';
import type { Kit } from './kit.ts';
import type { EventPlace, EventStanding, ListedEvent } from './ports.ts';

export interface ListEvents {
  /** All of them without one. */
  readonly standing?: EventStanding;
  /** From the answer before. */
  readonly cursor?: string;
  /** At most 200, and cut to it; 50 when absent. */
  readonly limit?: number;
}

/** A delivery of the payment provider as operators see it: what it says is not shown. */
export interface EventView {
  /** The `webhook-id`. */
  readonly id: string;
  /** The provider's name for what happened; null where it is not known. */
  readonly type: string | null;
  readonly standing: EventStanding;
  /** ISO 8601, like every time in here. */
  readonly receivedAt: string;
  /** When it is applied; null unless it is pending. */
  readonly dueAt: string | null;
  readonly tries: number;
  readonly lastFailure: string | null;
  /** Whose it is, where that is known. */
  readonly userId: string | null;
}

export interface EventPage {
  /** The newest first. */
  readonly events: readonly EventView[];
  /** There while more follow. */
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

export const makeListEvents = ({ digest, ledger }: Pick<Kit, 'digest' | 'ledger'>) => {
  const cursors = makeTextCursor(digest, 'events');

  const placeOf = (cursor: string): EventPlace => {
    // An id may have any characters, so the time stands first.
    const [, receivedAt, id] = /^(-?\d+) (.*)$/s.exec(cursors.read(cursor) ?? '') ?? [];
    if (id === undefined) throw invalidCursor();
    return { receivedAt: Number(receivedAt), id };
  };

  return async ({ standing, cursor, limit = PAGE }: ListEvents): Promise<EventPage> => {
    const most = Math.min(limit, LONGEST_PAGE);
    const after = cursor === undefined ? null : placeOf(cursor);
    const found = await ledger.list(standing === undefined ? {} : { standing }, after, most + 1);
    const shown = found.slice(0, most);
    const events = shown.map(view);
    const last = shown.at(-1);
    if (found.length <= most || last === undefined) return { events };
    return { events, cursor: cursors.write(`${last.receivedAt} ${last.id}`) };
  };
};

export const makeListEventsOf =
  ({ ledger }: Pick<Kit, 'ledger'>) =>
  async (userId: string): Promise<readonly EventView[]> =>
    (await ledger.listOf(userId, PAGE)).map(view);
