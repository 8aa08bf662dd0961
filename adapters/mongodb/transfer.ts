import { type Collection, type Filter, ObjectId, type Sort } from 'mongodb';
import type { MailEntry } from '../../core/accounts/outbox-entries.ts';
import type { AuditHead, AuditRow, ObjectStore } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { EventRecord } from '../../core/billing/ports.ts';
import { earliestEnd, latestEndAt } from '../../core/lease-tolerance.ts';
import { partsOf } from '../../core/pagination.ts';
import type { WebhookEntry } from '../../core/webhooks/ports.ts';
import { EMPTY_AT_FIRST, FILLED_AT_FIRST } from '../transfer/first-start.ts';
import { loginKeyRecords } from '../transfer/login-key-records.ts';
import { objectsSection } from '../transfer/objects-section.ts';
import type {
  SectionOf,
  TransferableStore,
  TransferredAttempts,
  TransferredFile,
} from '../transfer/sections.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import type { AttemptsDocument } from './attempts-store.ts';
import { hasDocument, makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheGeneration } from './cache-generation.ts';
import type { LinkDocument } from './customer-links.ts';
import { ACCOUNTS, type AccountDocument, accountOf, documentOf } from './documents/account-document.ts';
import type { AuditBlock } from './documents/audit-blocks.ts';
import type { HeadDocument } from './documents/audit-heads.ts';
import { EMAILS, type EmailClaim } from './documents/email-claims.ts';
import { type FileDocument, filesIn } from './documents/file-document.ts';
import { makeFileSums } from './documents/file-sums.ts';
import {
  type MailDocument,
  documentOf as outboxDocument,
  outboxItemOf,
  type WebhookDocument,
} from './documents/outbox-document.ts';
import type { DomainDocument } from './domain-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import { integer, is } from './engine/scalars.ts';
import { type EventDocument, documentOf as eventDocument } from './event-ledger.ts';
import { type RatesDocument, ratesOf } from './exchange-rate-store.ts';
import { findLoginKeys, loginKeyDocument, loginKeysIn } from './login-key-store.ts';
import { SESSIONS, type SessionDocument, documentOf as sessionDocument, sessionOf } from './session-store.ts';
import { type DayDocument, dayDocument, dayIn } from './statistics.ts';

interface Identified {
  readonly _id: string;
}

type WithoutWrite<T> = Omit<T, 'write'>;

/** The idempotency key of imported documents. It is old, so that imported records of removed files may be purged at once. */
const IMPORTED = ObjectId.createFromTime(0);

/** Documents that a slow server can store within the deadline of one call. */
const BATCH = 100;

/** Inserts or replaces documents by their ids. `keyOf` returns the shard key where that is not the id. */
const putAll = async <T extends Identified>(
  { call }: MongoDatabase,
  collection: Collection<T>,
  documents: readonly (WithoutWrite<T> & Identified)[],
  keyOf: (document: WithoutWrite<T> & Identified) => object = () => ({}),
): Promise<void> => {
  const puts = documents.map((document) => ({
    replaceOne: {
      filter: { _id: { $eq: document._id }, ...keyOf(document) } as Filter<T>,
      replacement: { ...document, write: IMPORTED } as never,
      upsert: true,
    },
  }));
  for (const batch of partsOf(puts, BATCH)) await call(() => collection.bulkWrite(batch, { ordered: false }));
};

const BY_ID = { _id: 1 } as const satisfies Sort;

/** Reads in the order of document ids. `present` is a filter that leaves out documents of removed accounts and domains. */
const sectionOf = <T extends Identified, Transferred>(
  database: MongoDatabase,
  collection: Collection<T>,
  documentOf: (record: Transferred) => WithoutWrite<T> & Identified,
  recordOf: (document: T) => Transferred | undefined,
  { present = {}, keyOf }: { present?: object; keyOf?(document: WithoutWrite<T> & Identified): object } = {},
): SectionOf<Transferred> => ({
  count: () => database.call(() => collection.estimatedDocumentCount()),
  read: async (after, limit) => {
    const filter = { ...present, ...(after === null ? {} : { _id: { $gt: after } }) } as Filter<T>;
    const documents = await database.call(() => collection.find(filter, { sort: BY_ID, limit }).toArray());
    return documents.flatMap((document) => {
      const record = recordOf(document as unknown as T);
      return record === undefined ? [] : [{ place: String(document._id), record }];
    });
  },
  write: (records) => putAll(database, collection, records.map(documentOf), keyOf),
});

/** All sections of an export except the stored objects. */
const mongoSections = (database: MongoDatabase): Omit<TransferableStore['sections'], 'objects'> => {
  const { collection } = database;
  return {
    accounts: accountsSection(database),
    sessions: sessionsSection(database),
    tries: sectionOf<AttemptsDocument, TransferredAttempts>(
      database,
      collection('tries'),
      ({ key, ...tries }) => ({ _id: key, ...tries }),
      ({ _id: key, count, firstAt, endsAt }) => ({ key, count, firstAt, endsAt }),
    ),
    domains: sectionOf(
      database,
      collection<DomainDocument>('domains'),
      (record) => ({ _id: record.domain, record }),
      ({ record }) => record ?? undefined,
      { present: { record: { $ne: null } } },
    ),
    outbox: sectionOf(
      database,
      collection<MailDocument>('outbox'),
      outboxDocument<MailEntry>,
      outboxItemOf<MailEntry>,
    ),
    webhooks: sectionOf(
      database,
      collection<WebhookDocument>('webhooks'),
      outboxDocument<WebhookEntry>,
      outboxItemOf<WebhookEntry>,
    ),
    audit: auditSection(database),
    auditHead: auditHeadSection(database),
    files: sectionOf<FileDocument, TransferredFile>(
      database,
      filesIn(database),
      ({ id, ...file }) => ({ _id: id, ...file }),
      // Left out: `item`, which is made from the entry again, and members that only writes of this store use.
      ({ _id: id, write: _write, counted: _counted, countedBy: _countedBy, item: _item, ...file }) => ({
        id,
        ...file,
      }),
      { keyOf: ({ user }) => ({ user: { $eq: user } }) },
    ),
    events: sectionOf<EventDocument, EventRecord>(
      database,
      collection('billing_events'),
      eventDocument,
      ({ _id: id, write: _write, ...event }) => ({ id, ...event }),
    ),
    links: sectionOf(
      database,
      collection<LinkDocument>('billing_customers'),
      ({ customerId, userId }) => ({ _id: customerId, userId }),
      ({ _id: customerId, userId }) => ({ customerId, userId }),
    ),
    rates: sectionOf(
      database,
      collection<RatesDocument & { readonly _id: string }>('rates'),
      (rates) => ({ _id: 'rates', ...rates }),
      ratesOf,
    ),
    statistics: sectionOf(database, collection<DayDocument>('statistics'), dayDocument, dayIn),
  };
};

/** Emails and login keys are claimed before their accounts are written. */
const accountsSection = (database: MongoDatabase): TransferableStore['sections']['accounts'] => {
  const accounts = database.collection<AccountDocument>(ACCOUNTS);
  const section = sectionOf(database, accounts, documentOf, accountOf, {
    present: { account: { $ne: null } },
  });
  const emails = database.collection<EmailClaim>(EMAILS);
  return {
    ...section,
    write: async (records, from) => {
      // Each claim has a random id of its own, `mark`.
      const claims = records
        .filter(({ deletedAt }) => deletedAt === null)
        .map(({ id, email }) => ({ _id: email, userId: id, mark: new ObjectId() }));
      await putAll(database, emails, claims);
      const loginKeys = await loginKeyRecords(records, (keys) => findLoginKeys(database, keys));
      await putAll(database, loginKeysIn(database), loginKeys.map(loginKeyDocument));
      await section.write(records, from);
    },
  };
};

/** `[user, order, id]` of the last session read. */
type SessionPlace = readonly [string, number, string];

const sessionsSection = (database: MongoDatabase): SectionOf<Session> => {
  const sessions = database.collection<SessionDocument>(SESSIONS);
  const behind = ([userId, order, id]: SessionPlace): Filter<SessionDocument> => ({
    $or: [
      { userId: { $lt: userId } },
      { userId: { $eq: userId }, order: { $gt: order } },
      { userId: { $eq: userId }, order: { $eq: order }, _id: { $gt: id } },
    ],
  });
  return {
    count: () => database.call(() => sessions.estimatedDocumentCount()),
    // Reads the index of a user's sessions backwards: the session that was added first comes first.
    read: async (after, limit) => {
      const filter = after === null ? {} : behind(JSON.parse(after) as SessionPlace);
      const sort = { userId: -1, order: 1, _id: 1 } as const;
      const documents = await database.call(() => sessions.find(filter, { sort, limit }).toArray());
      return documents.map((document) => ({
        place: JSON.stringify([document.userId, document.order, document._id]),
        record: sessionOf(document),
      }));
    },
    write: (records, from) => {
      // Numbered in the order of the export: of two sessions of a user the later one is the newer one.
      const documents = records.map((session, index) => sessionDocument(session, from + index + 1));
      return putAll(database, sessions, documents, ({ userId }) => ({ userId: { $eq: userId } }));
    },
  };
};

const auditSection = (database: MongoDatabase): SectionOf<AuditRow> => {
  const log = makeMongoAuditStore(database);
  const blocks = database.collection<AuditBlock>('audit');
  return {
    count: async () => (await log.head())?.number ?? 0,
    // A tampered log may hold numbers below 1, and is exported unchanged.
    read: async (after, limit) => {
      const firstNumber = after === null ? Number.NEGATIVE_INFINITY : Number(after) + 1;
      const rows = await log.list(firstNumber, limit);
      return rows.map((record) => ({ place: String(record.number), record }));
    },
    write: async (records) => {
      for (const rows of sequencesOf(records)) {
        const [first] = rows;
        if (first === undefined) continue;
        const block = { rows: rows.map(({ number: _number, ...row }) => row), write: IMPORTED };
        await database.call(() => blocks.replaceOne({ _id: { $eq: first.number } }, block, { upsert: true }));
      }
    },
  };
};

/** The newest head, which may still be in its block. */
const auditHeadSection = (database: MongoDatabase): SectionOf<AuditHead> => {
  const heads = database.collection<HeadDocument & { readonly _id: string }>('audit_head');
  const newest = makeMongoAuditStore(database).head;
  return {
    count: async () => 1,
    read: async (after) => {
      const record = after === null ? await newest() : undefined;
      return record === undefined ? [] : [{ place: 'head', record }];
    },
    write: (records) =>
      putAll(
        database,
        heads,
        records.map((head) => ({ _id: 'head', ...head })),
      ),
  };
};

/** Splits the rows at gaps: a log with missing rows is imported unchanged. */
const sequencesOf = (rows: readonly AuditRow[]): readonly AuditRow[][] => {
  const sequences: AuditRow[][] = [];
  for (const row of rows) {
    const last = sequences.at(-1);
    if (last !== undefined && last.at(-1)?.number === row.number - 1) last.push(row);
    else sequences.push([row]);
  }
  return sequences;
};

interface ImportDocument {
  readonly _id: 'import';
  readonly id: string;
  readonly lines: number;
}

const IMPORT = { _id: { $eq: 'import' } } as const;

/** Export from and import into the store on MongoDB. */
export const makeMongoTransfer = (database: MongoDatabase, objects: ObjectStore): TransferableStore => {
  const { call, collection } = database;
  const meta = collection<ImportDocument>('meta');

  return {
    sections: { ...mongoSections(database), objects: objectsSection(objects) },
    // A first start leaves the first row of the audit log.
    isFresh: async () => {
      const used = await Promise.all([
        ...EMPTY_AT_FIRST.map((name) => hasDocument(database, name)),
        hasDocument(database, 'audit', { _id: { $gt: 1 } }),
      ]);
      return !used.includes(true);
    },
    isAtWork: (now) =>
      hasDocument(database, 'leases', {
        _id: { $ne: STORE_LEASE },
        holder: { $ne: null },
        endsAt: { $gt: earliestEnd(integer(now)), $lte: latestEndAt(now) },
      }),
    // Shows whether something was changed. A process that changes something takes a lease, and a lease that was free or had expired
    // gets a new fence. Commands change many file records without a lease: the counts of records show such a change.
    state: async () => {
      const leases = await call(() =>
        collection('leases')
          .find({ _id: { $ne: STORE_LEASE as never } }, { sort: { _id: 1 } })
          .toArray(),
      );
      const head = await makeMongoAuditStore(database).head();
      const generation = await makeMongoCacheGeneration(database).read();
      const fences = leases.map(({ _id, fence }) => [String(_id), Number(fence)]);
      const files = [...(await makeFileSums(database)())];
      return JSON.stringify({ head: head?.value ?? null, epoch: generation, fences, files });
    },
    unfinishedImport: async () => {
      const document = await call(() => meta.findOne(IMPORT));
      return document === null ? undefined : { id: document.id, lines: document.lines };
    },
    // The document of the import comes first: it keeps servers from a store whose audit log is already deleted.
    startImport: async (progress) => {
      const change = { $set: { id: progress.id, lines: integer(progress.lines) } };
      await call(() => meta.updateOne(IMPORT, change, { upsert: true }));
      for (const name of FILLED_AT_FIRST) await call(() => collection(name).deleteMany({}));
    },
    // No upsert, which would mark a finished import as unfinished.
    saveProgress: async ({ id, lines }) => {
      await call(() => meta.updateOne({ ...IMPORT, id: is(id) }, { $set: { lines: integer(lines) } }));
    },
    endImport: async () => {
      await makeMongoCacheGeneration(database).raise();
      await call(() => meta.deleteOne(IMPORT));
    },
  };
};
