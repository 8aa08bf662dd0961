import type { DomainRecord, DomainStore } from '../../core/accounts/custom-domain/domain-record.ts';
import { changesOf, type Database, integer, type Scalar, text } from './database.ts';
import { document, documents, documentTable } from './table.ts';

export const domainsTable = documentTable('domains', (record: DomainRecord) => record, {
  domain: ({ domain }) => text(domain),
  revision: ({ revision }) => text(revision),
  look_at: ({ lookAt }) => integer(lookAt),
});

const FIND = 'SELECT doc FROM domains WHERE domain = ?';
const SAVE = `
  UPDATE domains SET ${domainsTable.assignments} WHERE domain = ? AND revision = ?`;
const REMOVE = 'DELETE FROM domains WHERE domain = ? AND revision = ?';
const LIST_DUE = 'SELECT doc FROM domains WHERE look_at <= ? ORDER BY look_at, domain LIMIT ?';

/** Claims and owners of custom domains. */
export const makeSqlDomainStore = ({ read, write }: Database): DomainStore => {
  const change = async (sql: string, params: readonly Scalar[]) =>
    changesOf(await write([{ sql, params }])) > 0;

  return {
    find: async (domain) => {
      const row = await read.get(FIND, [text(domain)]);
      return row && document<DomainRecord>(row);
    },
    add: async (record) => change(domainsTable.insert, domainsTable.row(record)),
    save: async (record, expectedRevision) =>
      change(SAVE, [...domainsTable.row(record), text(record.domain), text(expectedRevision)]),
    remove: async (domain, expectedRevision) => change(REMOVE, [text(domain), text(expectedRevision)]),
    listDue: async (now, limit) => documents(await read.all(LIST_DUE, [integer(now), integer(limit)])),
  };
};
