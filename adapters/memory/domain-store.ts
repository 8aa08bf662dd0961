import type { DomainRecord, DomainStore } from '../../core/accounts/custom-domain/domain-record.ts';
import { due, kept } from './records.ts';
import { text, whole } from './scalars.ts';

/** Claims and owners of custom domains in memory. */
export const makeMemoryDomainStore = (domains: Map<string, DomainRecord>): DomainStore => {
  const put = (record: DomainRecord) => {
    text(record.revision);
    whole(record.lookAt);
    domains.set(record.domain, kept(record));
  };
  const isAt = (domain: string, seen: string) => domains.get(text(domain))?.revision === text(seen);

  return {
    find: async (domain) => domains.get(text(domain)),
    add: async (record) => {
      if (domains.has(text(record.domain))) return false;
      put(record);
      return true;
    },
    save: async (record, seen) => {
      if (!isAt(record.domain, seen)) return false;
      put(record);
      return true;
    },
    remove: async (domain, seen) => isAt(domain, seen) && domains.delete(domain),
    listDue: async (now, limit) => due([...domains.values()], ({ lookAt }) => lookAt, now, limit),
  };
};
