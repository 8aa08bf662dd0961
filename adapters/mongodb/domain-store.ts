import type { DomainRecord, DomainStore } from '../../core/accounts/custom-domain/domain-record.ts';
import { readRanges } from '../../core/pagination.ts';
import type { MongoDatabase } from './engine/client.ts';
import { type IdempotentDocument, insertOnce, replaceOnce } from './engine/idempotent-writes.ts';
import { integer, is, limitOf, text } from './engine/scalars.ts';

/** A domain. `record` is null after its removal, until the TTL index deletes the document. */
export interface DomainDocument extends IdempotentDocument {
  /** The domain; the shard key. */
  readonly _id: string;
  readonly record: DomainRecord | null;
  readonly removedAt?: Date;
}

/** Claims and owners of custom domains, in MongoDB. */
export const makeMongoDomainStore = (database: MongoDatabase): DomainStore => {
  const { call, collection } = database;
  const domains = collection<DomainDocument>('domains');

  const replace = (domain: string, expectedRevision: string, next: Omit<DomainDocument, 'write'>) =>
    replaceOnce(database, domains, { _id: is(domain), 'record.revision': is(expectedRevision) }, next);

  return {
    find: async (domain) => {
      const document = await call(() => domains.findOne({ _id: is(domain) }));
      return document?.record ?? undefined;
    },
    add: async (record) => {
      const document = documentOf(record);
      if (await insertOnce(database, domains, document)) return true;
      return replaceOnce(database, domains, { _id: is(record.domain), record: { $eq: null } }, document);
    },
    save: async (record, expectedRevision) => replace(record.domain, expectedRevision, documentOf(record)),
    // The document is replaced, not deleted: a deletion that is repeated after a lost answer could not tell who had deleted it.
    remove: async (domain, expectedRevision) =>
      replace(domain, expectedRevision, { _id: text(domain), record: null, removedAt: new Date() }),
    listDue: async (now, limit, latest) => {
      // A time later than `latest` was stored before the clock was set back: such a record is due now, too.
      const times = [{ $lte: integer(now) }, { $gt: integer(latest) }];
      const reads = times.map((lookAt) => (size: number) => {
        const options = { sort: { 'record.lookAt': 1, _id: 1 }, limit: size } as const;
        return call(() => domains.find({ 'record.lookAt': lookAt }, options).toArray());
      });
      return (await readRanges(limitOf(limit), reads)).flatMap(({ record }) => record ?? []);
    },
  };
};

const documentOf = (record: DomainRecord): Omit<DomainDocument, 'write'> => ({
  _id: text(record.domain),
  record: { ...record, revision: text(record.revision), lookAt: integer(record.lookAt) },
});
