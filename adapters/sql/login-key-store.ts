import type { LoginKeyRecord, LoginKeyStore } from '../../core/accounts/login-key.ts';
import { changesOf, type Database, integer, type Scalar, text } from './database.ts';
import { fieldsTable, textIn } from './table.ts';

export const loginKeysTable = fieldsTable<LoginKeyRecord>('login_keys', {
  key: textIn('key'),
  userId: textIn('user_id'),
  mark: textIn('mark'),
});

/** Sorts after every character of a key. */
const LAST = '\uffff';

const FIND = `SELECT ${loginKeysTable.columns} FROM login_keys WHERE key = ?`;
const LIST = `
  SELECT ${loginKeysTable.columns} FROM login_keys WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`;
const REPLACE = `UPDATE login_keys SET ${loginKeysTable.assignments} WHERE key = ? AND mark = ?`;
const REMOVE = 'DELETE FROM login_keys WHERE key = ? AND mark = ?';

/** The existing records of these keys. */
export const findLoginKeys = async (
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  keys: readonly string[],
): Promise<readonly LoginKeyRecord[]> => {
  const sql = `
    SELECT ${loginKeysTable.columns} FROM login_keys WHERE key IN (SELECT value FROM ${dialect.each('?')})`;
  return (await read.all(sql, [JSON.stringify(keys.map(text))])).map(loginKeysTable.record);
};

/** Owners of login keys. */
export const makeSqlLoginKeyStore = ({ read, write }: Database): LoginKeyStore => {
  const change = async (sql: string, params: readonly Scalar[]) =>
    changesOf(await write([{ sql, params }])) > 0;

  return {
    find: async (key) => {
      const row = await read.get(FIND, [text(key)]);
      return row && loginKeysTable.record(row);
    },
    list: async (prefix, limit) =>
      (await read.all(LIST, [text(prefix), `${text(prefix)}${LAST}`, integer(limit)])).map(
        loginKeysTable.record,
      ),
    add: async (record) => change(loginKeysTable.insert, loginKeysTable.row(record)),
    replace: async (record, expectedClaim) =>
      change(REPLACE, [...loginKeysTable.row(record), text(record.key), text(expectedClaim)]),
    remove: async ({ key, mark }) => {
      await change(REMOVE, [text(key), text(mark)]);
    },
  };
};
