import type { Findings } from '../../../core/findings.ts';
import { changesOf, type Database, text, whole } from '../engine/statements.ts';
import { document } from '../table.ts';

const FIND = 'SELECT version, doc FROM findings WHERE name = ?';
const ADD = 'INSERT INTO findings (name, doc, version) VALUES (?1, ?2, ?3 + 1) ON CONFLICT (name) DO NOTHING';
const REPLACE = 'UPDATE findings SET doc = ?2, version = version + 1 WHERE name = ?1 AND version = ?3';

/** What background work found out, in the embedded store. */
export const makeSqliteFindings = ({ read, write }: Database): Findings => ({
  find: async <T>(name: string) => {
    const row = read.get(FIND, [text(name)]);
    return row && { value: document<T>(row), version: Number(row.version) };
  },
  put: async (name, value, version) => {
    const params = [text(name), JSON.stringify(value), whole(version)];
    return changesOf(await write([{ sql: version === 0 ? ADD : REPLACE, params }])) > 0;
  },
});
