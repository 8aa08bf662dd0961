import type { AuditHead, AuditRow, AuditStore } from '../../core/accounts/ports.ts';
import type { Database } from './database.ts';
import { text, textOrNull, whole } from './scalars.ts';
import { changesOf, type Row, type Scalar } from './unit.ts';

const COLUMNS = 'number, entry_id, target, actor, content, salt, digest, value';
// An entry that is there already, and a number that is not the next one, change nothing.
const APPEND = `
  INSERT INTO audit (${COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
  WHERE ?1 = (SELECT coalesce(max(number), 0) + 1 FROM audit)
  ON CONFLICT (entry_id) DO NOTHING`;
const SET_HEAD = `
  INSERT INTO audit_head (one, number, value, signature) VALUES (1, ?, ?, ?)
  ON CONFLICT (one) DO UPDATE SET number = excluded.number, value = excluded.value, signature = excluded.signature`;
const LIST = `SELECT ${COLUMNS} FROM audit WHERE number >= ? ORDER BY number LIMIT ?`;
const ERASE = `
  UPDATE audit SET content = NULL, salt = NULL
  WHERE (target = ?1 OR actor = ?1) AND (content IS NOT NULL OR salt IS NOT NULL)`;

/** The audit log in the embedded store. */
export const makeSqliteAuditStore = ({ read, write }: Database): AuditStore => ({
  head: async () => {
    const row = read.get('SELECT number, value, signature FROM audit_head', []);
    return row && headOf(row);
  },
  append: async (row, head) => {
    const outcome = await write([
      { sql: APPEND, params: columnsOf(row), need: true },
      { sql: SET_HEAD, params: [whole(head.number), text(head.value), text(head.signature)] },
    ]);
    // Rows never go, so that looking afterwards is as good as looking within the write.
    return outcome.done || read.get('SELECT 1 FROM audit WHERE entry_id = ?', [row.entryId]) !== undefined;
  },
  list: async (from, limit) => read.all(LIST, [whole(from), whole(limit)]).map(rowOf),
  // The actor's id has a column of its own and stays.
  eraseAbout: async (userId) => changesOf(await write([{ sql: ERASE, params: [text(userId)] }])),
});

const headOf = (row: Row): AuditHead => ({
  number: Number(row.number),
  value: String(row.value),
  signature: String(row.signature),
});

const rowOf = (row: Row): AuditRow => ({
  number: Number(row.number),
  entryId: String(row.entry_id),
  target: String(row.target),
  actor: String(row.actor),
  content: typeof row.content === 'string' ? row.content : null,
  salt: typeof row.salt === 'string' ? row.salt : null,
  digest: String(row.digest),
  value: String(row.value),
});

const columnsOf = (row: AuditRow): readonly Scalar[] => [
  whole(row.number),
  text(row.entryId),
  text(row.target),
  text(row.actor),
  textOrNull(row.content),
  textOrNull(row.salt),
  text(row.digest),
  text(row.value),
];
