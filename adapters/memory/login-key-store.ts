import type { LoginKeyRecord, LoginKeyStore } from '../../core/accounts/login-key.ts';
import { kept } from './records.ts';
import { text, whole } from './scalars.ts';

/** Whose login keys are, in memory. */
export const makeMemoryLoginKeyStore = (records: Map<string, LoginKeyRecord>): LoginKeyStore => {
  const put = (record: LoginKeyRecord) => {
    for (const part of [record.userId, record.mark]) text(part);
    records.set(record.key, kept(record));
    return true;
  };
  const has = (key: string, mark: string) => records.get(text(key))?.mark === text(mark);

  return {
    find: async (key) => records.get(text(key)),
    list: async (prefix, limit) => {
      const found = [...records.values()].filter(({ key }) => key.startsWith(text(prefix)));
      return found.sort((one, other) => (one.key < other.key ? -1 : 1)).slice(0, whole(limit));
    },
    add: async (record) => !records.has(text(record.key)) && put(record),
    replace: async (record, seen) => has(record.key, seen) && put(record),
    remove: async ({ key, mark }) => {
      if (has(key, mark)) records.delete(key);
    },
  };
};
