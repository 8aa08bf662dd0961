import type { DomainRecord, DomainStore } from '../../core/accounts/domain-record.ts';
import { changesOf, type Database, type Scalar, text, whole } from './engine/statements.ts';
import { document, documents, documentTable } from './table.ts';

export const domainsTable = documentTable('domains', (record: DomainRecord) => record, {
  domain: ({ domain }) => text(domain),
  revision: ({ revision }) => text(revision),
  look_at: ({ lookAt }) => whole(lookAt),
});

const FIND = 'SELECT doc FROM domains WHERE domain = ?';
const SAVE = `
  UPDATE domains SET ${domainsTable.assignments} WHERE domain = ? AND revision = ?`;
const REMOVE = 'DELETE FROM domains WHERE domain = ? AND revision = ?';
const LIST_DUE = 'SELECT doc FROM domains WHERE look_at <= ? ORDER BY look_at, domain LIMIT ?';

/** Claims and owners of custom domains, in the embedded store. */
export const makeSqliteDomainStore = ({ read, write }: Database): DomainStore => {
  const change = async (sql: string, params: readonly Scalar[]) =>
    changesOf(await write([{ sql, params }])) > 0;

  return {
    find: async (domain) => {
      const row = read.get(FIND, [text(domain)]);
      return row && document<DomainRecord>(row);
    },
    add: async (record) => change(domainsTable.insert, domainsTable.row(record)),
    save: async (record, seen) =>
      change(SAVE, [...domainsTable.row(record), text(record.domain), text(seen)]),
    remove: async (domain, seen) => change(REMOVE, [text(domain), text(seen)]),
    listDue: async (now, limit) => documents(read.all(LIST_DUE, [whole(now), whole(limit)])),
  };
};
