import type { AuditHead, AuditRow, AuditStore, StoreUsage } from '../../core/accounts/ports.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import { type Database, integer, type Statement, text } from './database.ts';
import { callsOn, fieldsTable, integerIn, textIn, textOrNullIn } from './table.ts';

export const auditTable = fieldsTable<AuditRow>('audit', {
  number: integerIn('number'),
  entryId: textIn('entry_id'),
  target: textIn('target'),
  actor: textIn('actor'),
  content: textOrNullIn('content'),
  salt: textOrNullIn('salt'),
  digest: textIn('digest'),
  value: textIn('value'),
});
/** The head names the last row of the log: a log that was cut short no longer matches it. */
export const headTable = fieldsTable<AuditHead>(
  'audit_head',
  {
    number: integerIn('number'),
    value: textIn('value'),
    signature: textIn('signature'),
  },
  // The key of the table, so that it has one row at the most.
  { one: 1 },
);

const backFrom = (where: string) =>
  `SELECT ${auditTable.columns} FROM audit WHERE ${where} ORDER BY number DESC LIMIT ?3`;

const HEAD: Statement = { sql: 'SELECT number, value, signature FROM audit_head', params: [] };
const SET_HEAD = headTable.upsert('one');
// Leases are never deleted, so they show that a server has worked here. Only `STORE_LEASE`, which a start takes first, does not.
const IN_USE = `
  EXISTS (SELECT 1 FROM leases WHERE name <> '${STORE_LEASE}') OR EXISTS (SELECT 1 FROM accounts) OR EXISTS (SELECT 1 FROM sessions)
    OR EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM webhooks) OR EXISTS (SELECT 1 FROM domains) OR EXISTS (SELECT 1 FROM tries)
    OR EXISTS (SELECT 1 FROM login_keys) OR EXISTS (SELECT 1 FROM flows) OR EXISTS (SELECT 1 FROM files)`;
const USAGE = `SELECT (SELECT min(id) FROM accounts) AS first_account, ${IN_USE} AS in_use`;
const INSERT_FIRST = auditTable.insertIf(() => `NOT EXISTS (SELECT 1 FROM audit) AND NOT (${IN_USE})`);
const LIST = `SELECT ${auditTable.columns} FROM audit WHERE number >= ? ORDER BY number LIMIT ?`;
/**
 * The rows about a user and the rows of the user's own actions, as one list. It is made of two lists, each with a limit and in
 * the order of its index: otherwise a planner that expects an actor to have few rows reads and sorts all rows of the actor. One
 * query with `OR` would read and sort all rows of the user for each page.
 */
const aboutOrBy = (bound: string, order: string): string => {
  const page = (where: string) =>
    `SELECT ${auditTable.columns} FROM (
      SELECT ${auditTable.columns} FROM audit WHERE ${where} AND ${bound} ${order} LIMIT ?3) AS page`;
  return `${page('target = ?1')} UNION ALL ${page('actor = ?1 AND target <> ?1')} ${order} LIMIT ?3`;
};
const LIST_ABOUT = aboutOrBy('number >= ?2', 'ORDER BY number');
/** `?1` is the filter's id. `all` names it only because a statement must use all its parameters. */
const LISTS_BACK = {
  all: backFrom('CAST(?1 AS TEXT) IS NULL AND number < ?2'),
  target: backFrom('target = ?1 AND number < ?2'),
  actor: backFrom('actor = ?1 AND number < ?2'),
  either: aboutOrBy('number < ?2', 'ORDER BY number DESC'),
};

export const makeSqlAuditStore = (database: Database): AuditStore => {
  const { read, write, writeAtStart, dialect } = database;
  /** For a database without turns: if another call appends between the read and the write, the condition of `APPEND` fails. */
  const readThenWrite: NonNullable<Database['writeInTurn']> = async (_turn, { sql, params }, follow) =>
    write(await follow(await read.get(sql, params)));
  const writeInTurn = database.writeInTurn ?? readThenWrite;
  const { list, change } = callsOn(database, auditTable);
  // Adds nothing unless the first number is the next in the log; all entries must be new.
  const APPEND = auditTable.insertAll(
    dialect,
    'CAST(? AS BIGINT) = (SELECT coalesce(max(number), 0) + 1 FROM audit)',
  );
  const EXISTING = `SELECT entry_id FROM audit WHERE entry_id IN (SELECT value FROM ${dialect.each('?')})`;
  const ERASE = `
    UPDATE audit SET content = NULL, salt = NULL
    WHERE (target = ?1 OR actor = ?1) AND entry_id NOT IN (SELECT value FROM ${dialect.each('?2')})
      AND (content IS NOT NULL OR salt IS NOT NULL)`;

  return {
    head: () => callsOn(database, headTable).find(HEAD.sql, HEAD.params),
    usage: async (): Promise<StoreUsage> => {
      const row = await read.get(USAGE, []);
      const first = row?.first_account;
      return { inUse: row?.in_use === 1, firstAccount: typeof first === 'string' ? first : null };
    },
    appendFirst: async (row, head) =>
      (await writeAtStart([{ sql: INSERT_FIRST, params: auditTable.row(row), need: true }, setHead(head)]))
        .done,
    append: async (follow) => {
      const outcome = await writeInTurn('audit', HEAD, async (row) => {
        const { rows, head } = await follow(row && headTable.record(row));
        const first = integer(rows[0]?.number ?? 0);
        const isSequence = rows.every(({ number }, index) => integer(number) === first + index);
        // Rows with wrong numbers are left out: without rows `APPEND` changes nothing, so `need` undoes the unit.
        const params = [auditTable.json(isSequence ? rows : []), first];
        return [{ sql: APPEND, params, need: true }, setHead(head)];
      });
      return outcome.done;
    },
    listExisting: async (entryIds) =>
      (await read.all(EXISTING, [JSON.stringify(entryIds.map(text))])).map((row) => String(row.entry_id)),
    list: async (from, limit) => list(LIST, [numberFrom(from), integer(limit)]),
    listAbout: async (userId, from, limit) => list(LIST_ABOUT, [text(userId), integer(from), integer(limit)]),
    listBack: async (before, limit, filter) => {
      const id = filter === undefined ? null : text(filter.id);
      const number = before === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : integer(before);
      return list(LISTS_BACK[filter?.as ?? 'all'], [id, number, integer(limit)]);
    },
    eraseAbout: async (userId, keep) => change(ERASE, [text(userId), JSON.stringify(keep.map(text))]),
  };
};

/** A tampered log may hold numbers below every safe integer, so a list from the first row begins at the least 64-bit integer. */
const numberFrom = (from: number): number => (from === Number.NEGATIVE_INFINITY ? -(2 ** 63) : integer(from));

const setHead = (head: AuditHead): Statement => ({ sql: SET_HEAD, params: headTable.row(head) });
