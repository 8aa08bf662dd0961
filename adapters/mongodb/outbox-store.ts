import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { OutboxStore } from '../../core/accounts/ports.ts';
import {
  countByState,
  newOutboxItem,
  type Outbox,
  type OutboxState,
  type PartCount,
  type Sendable,
} from '../../core/outbox.ts';
import { firstDifferent, pagesOf, readRanges } from '../../core/pagination.ts';
import type { WebhookStore } from '../../core/webhooks/ports.ts';
import { BULK_MS } from '../calls/store-calls.ts';
import { BEFORE_ALL_TIMES } from './collections.ts';
import {
  documentOf,
  type MailDocument,
  type OutboxDocument,
  outboxItemOf,
  type WebhookDocument,
} from './documents/outbox-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, insertOnce } from './engine/idempotent-writes.ts';
import { among, integer, is, limitOf, text } from './engine/scalars.ts';

/** Entries that one query reads. */
const PAGE = 500;
/** Entries that one query counts. */
const PART = 5_000;

/** An address with the time at which an entry for it is due or began to wait. */
interface Position {
  readonly time: number;
  readonly address: string;
}

const ALIVE = { $eq: null } as const;

/** The condition for each state, as the indexes have it. */
const STATES = {
  waiting: { deadAt: ALIVE, tries: { $eq: 0 } },
  failing: { deadAt: ALIVE, tries: { $gt: 0 } },
  dead: { deadAt: { $gt: BEFORE_ALL_TIMES } },
} as const satisfies Record<OutboxState, object>;

const inState = (state: OutboxState): object => {
  // Throws for anything but text.
  text(state);
  return STATES[state];
};

/**
 * Lists addresses in the order of the index on `dueAt` or `waitsFrom`, for times that match `within`. `scope`: the condition on
 * the endpoint, the first key of webhooks' indexes; empty for mails.
 */
const addressLister =
  ({ call }: MongoDatabase, outbox: Collection<OutboxDocument>, scope: object) =>
  (name: 'dueAt' | 'waitsFrom', within: object) =>
  async (after: Position | null, limit: number): Promise<readonly Position[]> => {
    const all = { ...scope, deadAt: ALIVE, [name]: within };
    const page = (filter: object, most: number) =>
      call(() =>
        outbox
          .find({ ...all, ...filter }, { projection: { [name]: 1, 'mail.to': 1 }, batchSize: most })
          .sort({ [name]: 1, 'mail.to': 1 })
          .limit(most)
          .toArray(),
      );
    const ranges =
      after === null
        ? [(most: number) => page({}, most)]
        : [
            // `after` is from this list, so its time matches `within`. The first range therefore need not repeat `within`,
            // and the second may replace a `$gt` in `within` by its own, which is greater.
            (most: number) => page({ [name]: { $eq: after.time }, 'mail.to': { $gt: after.address } }, most),
            (most: number) => page({ [name]: { ...within, $gt: after.time } }, most),
          ];
    const documents = await readRanges(limit, ranges);
    return documents.map((document) => ({ time: document[name], address: document.mail.to }));
  };

interface CountRow extends Omit<PartCount, 'group' | 'state'> {
  readonly _id: Pick<PartCount, 'group' | 'state'>;
}

const ALIVE_STATE = { $cond: [{ $gt: ['$tries', 0] }, 'failing', 'waiting'] };

/** Counts by state, and by endpoint for webhooks: `mail` holds a webhook's entry, too. */
const COUNT = {
  $group: {
    _id: {
      group: { $ifNull: ['$mail.endpoint', ''] },
      state: { $cond: [{ $ne: ['$deadAt', null] }, 'dead', ALIVE_STATE] },
    },
    count: { $sum: 1 },
    oldestAt: { $min: '$mail.at' },
    lastId: { $max: '$_id' },
  },
};

/** An outbox in a collection. */
const makeOutbox = <Entry extends Sendable>(
  database: MongoDatabase,
  outbox: Collection<OutboxDocument<Entry>>,
) => {
  const { call } = database;
  // Typed as entries of any kind, since the filters below name only members that all kinds have. The callers of `listDue` and
  // `removeAll` know the kind, and may name others.
  const entries = outbox as unknown as Collection<OutboxDocument>;

  const list = async (filter: object, sort: Readonly<Record<string, 1>>, limit?: number) => {
    const options = { sort, ...(limit !== undefined && { limit: limitOf(limit) }) };
    const documents = await call(() => outbox.find(filter, options).toArray());
    return documents.map((document) => outboxItemOf<Entry>(document as OutboxDocument<Entry>));
  };
  const setAlive = async (id: string, values: Partial<OutboxDocument>): Promise<void> => {
    const filter = { _id: is(id), deadAt: ALIVE };
    await call(() => entries.updateOne(filter, { $set: values }));
  };

  const listDue = (now: number, limit: number, scope: object = {}): Promise<readonly string[]> => {
    const listBy = addressLister(database, entries, scope);
    // An entry waits from `waitsFrom` until `dueAt`. If `waitsFrom` is in the future, the clock was set back since, and
    // the entry is due as well: `dueAt` may be far off.
    const lists = [listBy('dueAt', { $lte: integer(now) }), listBy('waitsFrom', { $gt: now })];
    return firstDifferent(limitOf(limit), PAGE, lists, ({ address }) => address);
  };

  /** Changes all entries of a selection in pages, by their ids. Returns the number of changed entries. */
  const inPages = async (selection: object, work: (ids: object) => Promise<number>): Promise<number> => {
    let count = 0;
    const all = pagesOf<{ readonly _id: string }>(PAGE, (after, limit) => {
      const filter = { ...selection, _id: { $gt: after?._id ?? '' } };
      const page = { sort: { _id: 1 }, limit, batchSize: limit, projection: { _id: 1 } } as const;
      return call(() => entries.find(filter, page).toArray(), BULK_MS);
    });
    for await (const page of all) count += await work({ _id: among(page.map(({ _id }) => _id)) });
    return count;
  };

  const retry = async (id: string | null, now: number): Promise<number> => {
    const change = { $set: { deadAt: null }, $min: { dueAt: integer(now) } };
    if (id !== null) return (await call(() => entries.updateOne({ _id: is(id) }, change))).matchedCount;
    return inPages(
      {},
      async (ids) => (await call(() => entries.updateMany(ids, change), BULK_MS)).matchedCount,
    );
  };
  const removeAll = (selection: object): Promise<number> =>
    inPages(selection, async (ids) => (await call(() => entries.deleteMany(ids), BULK_MS)).deletedCount);

  return {
    list,
    listDue,
    removeAll,
    calls: {
      add: async (userId, entry) => {
        await insertOnce(database, entries, documentOf(newOutboxItem(userId, entry)));
      },
      listFor: async (to) => list({ 'mail.to': is(to), deadAt: ALIVE }, { 'mail.at': 1, _id: 1 }),
      claim: async (id, fence) => {
        const change: UpdateFilter<OutboxDocument> = { $set: { fence: integer(fence) }, $inc: { tries: 1 } };
        const unclaimed = { _id: is(id), deadAt: ALIVE, fence: { $lte: fence } };
        return changeOnce(database, entries, unclaimed, change);
      },
      remove: async (id) => {
        const filter = { _id: is(id) };
        await call(() => entries.deleteOne(filter));
      },
      postpone: async (id, { from, until }, failure) =>
        setAlive(id, { dueAt: integer(until), waitsFrom: integer(from), lastFailure: text(failure) }),
      bury: async (id, now, failure) => setAlive(id, { deadAt: integer(now), lastFailure: text(failure) }),
      list: async (after, limit) =>
        list(after === null ? {} : { _id: { $gt: text(after) } }, { _id: 1 }, limit),
      count: () =>
        countByState(PART, async (after, size) => {
          const part = [{ $match: { _id: { $gt: after } } }, { $sort: { _id: 1 } }, { $limit: size }];
          const groups = await call(() => entries.aggregate<CountRow>([...part, COUNT]).toArray(), BULK_MS);
          return groups.map(({ _id, ...counted }) => ({ ..._id, ...counted }));
        }),
      retry,
    } satisfies Omit<Outbox<Entry>, 'listDue'>,
  };
};

/** The outbox of mails in MongoDB. */
export const makeMongoOutboxStore = (database: MongoDatabase): OutboxStore => {
  const outbox = database.collection<MailDocument>('outbox');
  const { calls, list, listDue } = makeOutbox(database, outbox);
  return {
    ...calls,
    listDue: async (now, limit) => listDue(now, limit),
    listOf: async (userId) => list({ userId: is(userId) }, { _id: 1 }),
    listByState: async (state, after, limit) =>
      list({ ...inState(state), _id: { $gt: after === null ? '' : text(after) } }, { _id: 1 }, limit),
    removeFor: async (userId, exceptTemplate) => {
      const toUser: Filter<MailDocument> = { userId: is(userId), 'mail.template': { $ne: exceptTemplate } };
      await database.call(() => outbox.deleteMany(toUser));
    },
  };
};

/** The outbox of webhooks in MongoDB. */
export const makeMongoWebhookStore = (database: MongoDatabase): WebhookStore => {
  const webhooks = database.collection<WebhookDocument>('webhooks');
  const { calls, listDue, removeAll } = makeOutbox(database, webhooks);
  return {
    ...calls,
    listDue: async (now, limit, endpoint) => listDue(now, limit, { 'mail.endpoint': is(endpoint) }),
    discard: async (which) =>
      'id' in which
        ? (await database.call(() => webhooks.deleteOne({ _id: is(which.id) }))).deletedCount
        : removeAll({ 'mail.endpoint': is(which.endpoint) }),
  };
};
