import type { KeyValueStore } from '../../core/key-value-store.ts';
import { changesOf, type Database, integer, text } from './database.ts';
import { document } from './table.ts';

const FIND = 'SELECT version, doc FROM findings WHERE name = ?';
// For version 0: there is no value yet. ?3 is then 0, and is named only because a statement must use all its parameters.
const ADD = 'INSERT INTO findings (name, doc, version) VALUES (?1, ?2, ?3 + 1) ON CONFLICT (name) DO NOTHING';
const REPLACE = 'UPDATE findings SET doc = ?2, version = version + 1 WHERE name = ?1 AND version = ?3';

/** Results of background jobs. */
export const makeSqlKeyValueStore = ({ read, write }: Database): KeyValueStore => ({
  find: async <T>(name: string) => {
    const row = await read.get(FIND, [text(name)]);
    return row && { value: document<T>(row), version: Number(row.version) };
  },
  put: async (name, value, version) => {
    const params = [text(name), JSON.stringify(value), integer(version)];
    return changesOf(await write([{ sql: version === 0 ? ADD : REPLACE, params }])) > 0;
  },
});
