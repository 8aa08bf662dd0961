import type { LoginKeyRecord, LoginKeyStore } from '../../core/accounts/login-key.ts';
import { type Database, integer, text } from './database.ts';
import { callsOn, fieldsTable, textIn } from './table.ts';

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
export const makeSqlLoginKeyStore = (database: Database): LoginKeyStore => {
  const { find, list, changeOne } = callsOn(database, loginKeysTable);

  return {
    find: async (key) => find(FIND, [text(key)]),
    list: async (prefix, limit) => list(LIST, [text(prefix), `${text(prefix)}${LAST}`, integer(limit)]),
    add: async (record) => changeOne(loginKeysTable.insert, loginKeysTable.row(record)),
    replace: async (record, expectedMark) =>
      changeOne(REPLACE, [...loginKeysTable.row(record), text(record.key), text(expectedMark)]),
    remove: async ({ key, mark }) => {
      await changeOne(REMOVE, [text(key), text(mark)]);
    },
  };
};
