import type { DomainRecord, DomainStore } from '../../core/accounts/domain-record.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce, replaceOnce, type Written } from './engine/idempotent-writes.ts';
import { is, limitOf, text, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

/** A domain. `record` is null after its removal, until the TTL index deletes the document. */
export interface DomainDocument extends Written {
  /** The domain; the shard key. */
  readonly _id: string;
  readonly record: DomainRecord | null;
  readonly removedAt?: Date;
}

const DOMAINS = 'domains';
const DAY = 86_400;

export const domainStoreIndexes: Indexes = {
  [DOMAINS]: [
    { name: 'due', keys: { 'record.lookAt': 1, _id: 1 } },
    { name: 'removed', keys: { removedAt: 1 }, expireAfterSeconds: DAY },
  ],
};

/** Claims and owners of custom domains, in MongoDB. */
export const makeMongoDomainStore = (database: MongoDatabase): DomainStore => {
  const { call, collection } = database;
  const domains = collection<DomainDocument>(DOMAINS);

  const replace = (domain: string, seen: string, next: Omit<DomainDocument, 'write'>) =>
    replaceOnce(database, domains, { _id: is(domain), 'record.revision': is(seen) }, next);

  return {
    find: async (domain) => {
      const found = await call(() => domains.findOne({ _id: is(domain) }));
      return found?.record ?? undefined;
    },
    add: async (record) => {
      const document = documentOf(record);
      if (await insertOnce(database, domains, document)) return true;
      return replaceOnce(database, domains, { _id: is(record.domain), record: { $eq: null } }, document);
    },
    save: async (record, seen) => replace(record.domain, seen, documentOf(record)),
    // Replaced, not deleted: after a lost answer a repetition could not tell whether the deletion was its own.
    remove: async (domain, seen) =>
      replace(domain, seen, { _id: text(domain), record: null, removedAt: new Date() }),
    listDue: async (now, most) => {
      const options = { sort: { 'record.lookAt': 1, _id: 1 }, limit: limitOf(most) } as const;
      const due = { 'record.lookAt': { $lte: whole(now) } };
      const found = await call(() => domains.find(due, options).toArray());
      return found.flatMap(({ record }) => record ?? []);
    },
  };
};

const documentOf = (record: DomainRecord): Omit<DomainDocument, 'write'> => ({
  _id: text(record.domain),
  record: { ...record, revision: text(record.revision), lookAt: whole(record.lookAt) },
});
