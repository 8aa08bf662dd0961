import type { UpdateFilter } from 'mongodb';
import { newMail } from '../../core/accounts/mail/new-mail.ts';
import type { MailEntry } from '../../core/accounts/pending.ts';
import type { OutboxMail, OutboxStore } from '../../core/accounts/ports.ts';
import { firstDifferent, pagesOf, readRanges } from '../../core/pages.ts';
import { BULK, type MongoDatabase } from './engine/client.ts';
import { changeOnce, insertOnce, type Written } from './engine/idempotent-writes.ts';
import { among, is, limitOf, text, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

export const outboxStoreIndexes = {
  outbox: [
    { name: 'due', keys: { deadAt: 1, dueAt: 1, 'mail.to': 1 } },
    { name: 'waiting', keys: { deadAt: 1, waitsFrom: 1, 'mail.to': 1 } },
    { name: 'address', keys: { 'mail.to': 1, deadAt: 1, 'mail.at': 1, _id: 1 } },
    { name: 'user', keys: { userId: 1, _id: 1 } },
  ],
} satisfies Indexes;

/** Waiting mails in MongoDB. */
export const makeMongoOutboxStore = (database: MongoDatabase): OutboxStore => {
  const { call, collection } = database;
  const outbox = collection<MailDocument>('outbox');

  const list = async (filter: object, sort: Readonly<Record<string, 1>>, limit?: number) => {
    const options = { sort, ...(limit !== undefined && { limit: limitOf(limit) }) };
    return (await call(() => outbox.find(filter, options).toArray())).map(mailOf);
  };
  /** Addresses by `dueAt` or `waitsFrom`, in the order of that index. */
  const listed =
    (name: 'dueAt' | 'waitsFrom', within: object) => async (after: Waiting | null, limit: number) => {
      const all = { deadAt: ALIVE, [name]: within };
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
              (most: number) =>
                page({ [name]: { $eq: after.time }, 'mail.to': { $gt: after.address } }, most),
              (most: number) => page({ [name]: { ...within, $gt: after.time } }, most),
            ];
      const found = await readRanges(limit, ranges);
      return found.map((mail) => ({ time: mail[name], address: mail.mail.to }));
    };
  const setAlive = async (id: string, values: Partial<MailDocument>): Promise<void> => {
    const filter = { _id: is(id), deadAt: ALIVE };
    await call(() => outbox.updateOne(filter, { $set: values }));
  };

  return {
    add: async (userId, mail) => {
      await insertOnce(database, outbox, documentOf(newMail(userId, mail)));
    },
    listDue: async (now, limit) => {
      const lists = [listed('dueAt', { $lte: whole(now) }), listed('waitsFrom', { $gt: now })];
      return firstDifferent(limitOf(limit), PAGE, lists, ({ address }) => address);
    },
    listFor: async (to) => list({ 'mail.to': is(to), deadAt: ALIVE }, { 'mail.at': 1, _id: 1 }),
    claim: async (id, fence) => {
      const change: UpdateFilter<MailDocument> = { $set: { fence: whole(fence) }, $inc: { tries: 1 } };
      const unclaimed = { _id: is(id), deadAt: ALIVE, fence: { $lte: fence } };
      return changeOnce(database, outbox, unclaimed, change);
    },
    remove: async (id) => {
      const filter = { _id: is(id) };
      await call(() => outbox.deleteOne(filter));
    },
    postpone: async (id, { from, until }, failure) =>
      setAlive(id, { dueAt: whole(until), waitsFrom: whole(from), lastFailure: text(failure) }),
    bury: async (id, now, failure) => setAlive(id, { deadAt: whole(now), lastFailure: text(failure) }),
    removeFor: async (userId) => {
      const theirs = { userId: is(userId), 'mail.template': { $ne: 'account-deleted' } } as const;
      await call(() => outbox.deleteMany(theirs));
    },
    list: async (after, limit) =>
      list(after === null ? {} : { _id: { $gt: text(after) } }, { _id: 1 }, limit),
    listOf: async (userId) => list({ userId: is(userId) }, { _id: 1 }),
    retry: async (id, now) => {
      const change = { $set: { deadAt: null }, $min: { dueAt: whole(now) } };
      if (id !== null) return (await call(() => outbox.updateOne({ _id: is(id) }, change))).matchedCount;
      let count = 0;
      const all = pagesOf<{ readonly _id: string }>(PAGE, (after, limit) => {
        const filter = { _id: { $gt: after?._id ?? '' } };
        const page = { sort: { _id: 1 }, limit, batchSize: limit, projection: { _id: 1 } } as const;
        return call(() => outbox.find(filter, page).toArray(), BULK);
      });
      for await (const page of all) {
        const filter = { _id: among(page.map(({ _id }) => _id)) };
        count += (await call(() => outbox.updateMany(filter, change), BULK)).matchedCount;
      }
      return count;
    },
  };
};

/** Mails that one query reads. */
const PAGE = 500;

/** An address with the time at which a mail to it is due or began to wait. */
interface Waiting {
  readonly time: number;
  readonly address: string;
}

const ALIVE = { $eq: null } as const;

export interface MailDocument extends Written {
  readonly _id: string;
  readonly userId: string;
  /** The names of its facts are those of the code. */
  readonly mail: Omit<MailEntry, 'id'>;
  readonly tries: number;
  /** The fence of the latest claim; 0 before the first. */
  readonly fence: number;
  readonly dueAt: number;
  readonly waitsFrom: number;
  readonly deadAt: number | null;
  readonly lastFailure: string | null;
}

/** The document of a waiting mail, all but the mark of its write. */
export const documentOf = ({
  mail: { id, ...mail },
  ...waiting
}: OutboxMail): Omit<MailDocument, 'write'> => ({
  _id: text(id),
  ...waiting,
  userId: text(waiting.userId),
  dueAt: whole(waiting.dueAt),
  mail: { ...mail, to: text(mail.to) },
  fence: 0,
});

export const mailOf = ({ _id: id, userId, mail, tries, ...times }: MailDocument): OutboxMail => {
  const { dueAt, waitsFrom, deadAt, lastFailure } = times;
  return { mail: { ...mail, id }, userId, tries, dueAt, waitsFrom, deadAt, lastFailure };
};
