import type { DomainRecord, DomainStore } from '../../core/accounts/custom-domain/domain-record.ts';
import { readRanges } from '../../core/pagination.ts';
import { type Database, integer, text } from './database.ts';
import { callsOn, documentTable } from './table.ts';

export const domainsTable = documentTable('domains', (record: DomainRecord) => record, {
  domain: ({ domain }) => text(domain),
  revision: ({ revision }) => text(revision),
  look_at: ({ lookAt }) => integer(lookAt),
});

const FIND = 'SELECT doc FROM domains WHERE domain = ?';
const SAVE = `
  UPDATE domains SET ${domainsTable.assignments} WHERE domain = ? AND revision = ?`;
const REMOVE = 'DELETE FROM domains WHERE domain = ? AND revision = ?';
// Two statements, each of which reads one range of the index.
const LIST_DUE = 'SELECT doc FROM domains WHERE look_at <= ? ORDER BY look_at, domain LIMIT ?';
const LIST_AHEAD = 'SELECT doc FROM domains WHERE look_at > ? ORDER BY look_at, domain LIMIT ?';

/** Claims and owners of custom domains. */
export const makeSqlDomainStore = (database: Database): DomainStore => {
  const { find, list, changeOne } = callsOn(database, domainsTable);

  return {
    find: async (domain) => find(FIND, [text(domain)]),
    add: async (record) => changeOne(domainsTable.insert, domainsTable.row(record)),
    save: async (record, expectedRevision) =>
      changeOne(SAVE, [...domainsTable.row(record), text(record.domain), text(expectedRevision)]),
    remove: async (domain, expectedRevision) => changeOne(REMOVE, [text(domain), text(expectedRevision)]),
    listDue: async (now, limit, latest) =>
      readRanges(integer(limit), [
        (size) => list(LIST_DUE, [integer(now), size]),
        // A check due later than `latest` was scheduled before the clock was set back, and is due now, too.
        (size) => list(LIST_AHEAD, [integer(latest), size]),
      ]),
  };
};
