import type { Filter, UpdateFilter } from 'mongodb';
import type {
  EventLedger,
  EventMove,
  EventPosition,
  EventRecord,
  EventState,
  StoredEvent,
} from '../../core/billing/ports.ts';
import { listedEvent, newEvent } from '../../core/billing/receive-event.ts';
import { readRanges } from '../../core/pagination.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, deleteFirst, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { among, equals, integer, is, limitOf, text, textOrNull } from './engine/scalars.ts';

/** The payment provider's webhook deliveries in MongoDB. */
export const makeMongoEventLedger = (database: MongoDatabase): EventLedger => {
  const { call, collection } = database;
  const events = collection<EventDocument>('billing_events');

  const setAll = async (filter: object, values: Partial<EventDocument>): Promise<number> =>
    (await call(() => events.updateMany(filter, { $set: values }))).matchedCount;

  const listSome = async (filter: Filter<EventDocument>, limit: number): Promise<readonly EventRecord[]> => {
    const options = { sort: { receivedAt: -1, _id: -1 }, limit } as const;
    return (await call(() => events.find(filter, options).toArray())).map(recordOf);
  };

  return {
    add: async (delivery, receivedAt) => {
      // Required here: only an erasure leaves an event without a body.
      text(delivery.body);
      return insertOnce(database, events, documentOf(newEvent(delivery, receivedAt)));
    },
    listDue: async (now, limit, latest) => {
      // A time later than `latest` was stored before the clock was set back: such a delivery is due now, too.
      const times = [{ $lte: integer(now) }, { $gt: integer(latest) }];
      const reads = times.map((dueAt) => (size: number) => {
        const options = { sort: { dueAt: 1, _id: 1 }, limit: size } as const;
        return call(() => events.find({ standing: PENDING, dueAt }, options).toArray());
      });
      return (await readRanges(limitOf(limit), reads)).map(eventOf);
    },
    move: async (id, to) => {
      // Another process may have worked on the delivery as well, and moved it before.
      await changeOnce(database, events, { _id: is(id), standing: PENDING }, changeFor(to));
    },
    release: async (customerId, now) => {
      const waiting = { customerId: is(customerId), standing: WAITING };
      const values = { standing: 'pending', dueAt: integer(now) } as const;
      // Every applied event calls this, and hardly any has deliveries to release: a read is cheaper than a write without effect.
      const waitingEvent = await call(() => events.findOne(waiting, { projection: { _id: 1 } }));
      return waitingEvent === null ? 0 : setAll(waiting, values);
    },
    // As received now: that time decides when a delivery that still fails is given up, and when it is swept.
    retry: async (id, now) => {
      const values = { standing: 'pending', dueAt: integer(now), receivedAt: now, tries: 0 } as const;
      if (id === null) return setAll({ standing: RETRIABLE }, values);
      const retriable = { _id: is(id), standing: RETRIABLE };
      return (await changeOnce(database, events, retriable, { $set: values })) ? 1 : 0;
    },
    list: async ({ standing }, after, limit) => {
      const all = standing === undefined ? {} : { standing: { $eq: stateText(standing) } };
      const ranges = after === null ? [{}] : behind(after);
      const reads = ranges.map((range) => (size: number) => listSome({ ...all, ...range }, size));
      return (await readRanges(limitOf(limit), reads)).map(listedEvent);
    },
    listOf: async (userId, limit) => listSome({ userId: is(userId) }, limitOf(limit)),
    findState: async (id) => {
      const document = await call(() => events.findOne({ _id: is(id) }, { projection: { standing: 1 } }));
      return document?.standing;
    },
    count: async (state) => call(() => events.countDocuments({ standing: { $eq: stateText(state) } })),
    eraseOf: async (userId, customerIds) => {
      const aboutUser = { $or: [{ userId: is(userId) }, { customerId: among(customerIds) }] };
      await setAll(aboutUser, { body: null, customerId: null, userId: null, standing: 'ignored' });
    },
    sweep: async (before, limit) => {
      const old = { receivedAt: { $lt: integer(before) }, standing: NOT_PENDING };
      return deleteFirst(database, events, old, 'receivedAt', limit);
    },
  };
};

const PENDING = { $eq: 'pending' } as const;
const WAITING = { $eq: 'waiting' } as const;
const RETRIABLE = { $in: ['waiting', 'dead'] } satisfies { $in: EventState[] };
const NOT_PENDING = { $in: ['waiting', 'applied', 'ignored', 'dead'] } satisfies { $in: EventState[] };

/** The `_id` is the delivery's `webhook-id`, `standing` its state. */
export interface EventDocument extends IdempotentDocument, Omit<EventRecord, 'id'> {
  readonly _id: string;
}

/** The document of a delivery, without the idempotency key of its write. */
export const documentOf = ({ id, ...event }: EventRecord): Omit<EventDocument, 'write'> => ({
  _id: text(id),
  ...event,
  receivedAt: integer(event.receivedAt),
  body: textOrNull(event.body),
});

/** Deliveries after a position in the list: received at the same moment, then received before. */
const behind = ({ receivedAt, id }: EventPosition): readonly Filter<EventDocument>[] => [
  { receivedAt: equals(receivedAt), _id: { $lt: text(id) } },
  { receivedAt: { $lt: receivedAt } },
];

const settledFields = ({ state, userId }: Extract<EventMove, { readonly state: 'applied' | 'ignored' }>) => ({
  standing: state,
  userId: textOrNull(userId),
  lastFailure: null,
});

const changeFor = (to: EventMove): UpdateFilter<EventDocument> => {
  switch (to.state) {
    case 'waiting':
      return { $set: { standing: 'waiting', customerId: text(to.customerId) } };
    case 'pending':
      return { $set: { dueAt: integer(to.dueAt), lastFailure: text(to.failure) }, $inc: { tries: 1 } };
    case 'dead':
      return { $set: { standing: 'dead', lastFailure: text(to.failure), userId: textOrNull(to.userId) } };
    case 'ignored':
      return { $set: { ...settledFields(to), body: textOrNull(to.body) } };
    default:
      return { $set: settledFields(to) };
  }
};

const recordOf = ({ _id: id, write: _, ...event }: EventDocument): EventRecord => ({ id, ...event });

const stateText = (state: EventState): EventState => {
  text(state);
  return state;
};

const eventOf = ({ _id: id, body, receivedAt, tries }: EventDocument): StoredEvent => ({
  id,
  // Only erased events have no body, and they are not due.
  body: body ?? '',
  receivedAt,
  tries,
});
