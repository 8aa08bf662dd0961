import type {
  EventLedger,
  EventMove,
  EventRecord,
  EventState,
  StoredEvent,
} from '../../core/billing/ports.ts';
import { listedEvent, newEvent } from '../../core/billing/receive-event.ts';
import { readRanges } from '../../core/pagination.ts';
import { type Database, integer, type Row, type Statement, text, textOrNull } from './database.ts';
import { callsOn, fieldsTable, integerIn, textIn, textOrNullIn } from './table.ts';

export const eventsTable = fieldsTable<EventRecord>('billing_events', {
  id: textIn('id'),
  standing: textIn<EventState>('standing'),
  receivedAt: integerIn('received_at'),
  dueAt: integerIn('due_at'),
  tries: integerIn('tries'),
  customerId: textOrNullIn('customer_id'),
  userId: textOrNullIn('user_id'),
  lastFailure: textOrNullIn('last_failure'),
  body: textOrNullIn('body'),
});

const ADD = `${eventsTable.insert} ON CONFLICT (id) DO NOTHING`;
const LIST_PENDING = "SELECT id, received_at, tries, body FROM billing_events WHERE standing = 'pending' AND";
// Two statements, each of which reads one range of the index.
const LIST_DUE = `${LIST_PENDING} due_at <= ? ORDER BY due_at, id LIMIT ?`;
const LIST_AHEAD = `${LIST_PENDING} due_at > ? ORDER BY due_at, id LIMIT ?`;
const NEWEST_FIRST = 'ORDER BY received_at DESC, id DESC LIMIT ?';
const LIST_OF = `SELECT ${eventsTable.columns} FROM billing_events WHERE user_id = ? ${NEWEST_FIRST}`;
const APPLY = `
  UPDATE billing_events SET standing = 'applied', user_id = ?2, last_failure = NULL
  WHERE id = ?1 AND standing = 'pending'`;
const IGNORE = `
  UPDATE billing_events SET standing = 'ignored', user_id = ?2, body = ?3, last_failure = NULL
  WHERE id = ?1 AND standing = 'pending'`;
const WAIT = `
  UPDATE billing_events SET standing = 'waiting', customer_id = ?2 WHERE id = ?1 AND standing = 'pending'`;
const POSTPONE = `
  UPDATE billing_events SET tries = tries + 1, due_at = ?2, last_failure = ?3
  WHERE id = ?1 AND standing = 'pending'`;
const BURY = `
  UPDATE billing_events SET standing = 'dead', last_failure = ?2, user_id = ?3
  WHERE id = ?1 AND standing = 'pending'`;
const HAS_WAITING = "SELECT 1 FROM billing_events WHERE standing = 'waiting' AND customer_id = ? LIMIT 1";
const RELEASE = `
  UPDATE billing_events SET standing = 'pending', due_at = ?2 WHERE standing = 'waiting' AND customer_id = ?1`;
// Counts the deliveries as received now: that time decides when a delivery that still fails is given up, and when it is swept.
const RETRY_ALL = `
  UPDATE billing_events SET standing = 'pending', due_at = ?1, received_at = ?1, tries = 0
  WHERE standing IN ('waiting', 'dead')`;
const RETRY_BY_ID = `${RETRY_ALL} AND id = ?2`;
// Two statements: a single statement with `OR` scans the whole table while all other writes wait.
const ERASE = `
  UPDATE billing_events SET body = NULL, customer_id = NULL, user_id = NULL, standing = 'ignored' WHERE`;
const ERASE_OF_USER = `${ERASE} user_id = ?`;
// The outer condition spares a delivery that `retry` made pending after the inner query had chosen it.
const SWEEP = `
  DELETE FROM billing_events WHERE standing <> 'pending' AND received_at < ?1 AND id IN (
    SELECT id FROM billing_events
    WHERE standing <> 'pending' AND received_at < ?1 ORDER BY received_at LIMIT ?2)`;

/** The payment provider's webhook deliveries. */
export const makeSqlEventLedger = (database: Database): EventLedger => {
  const { read, write, dialect } = database;
  const { list, change, changeOne } = callsOn(database, eventsTable);
  const ERASE_OF_CUSTOMERS = `${ERASE} customer_id IN (SELECT value FROM ${dialect.each('?')})`;

  return {
    add: async (delivery, receivedAt) => {
      // The column takes null, for erased bodies, but a new delivery must have a body.
      text(delivery.body);
      return changeOne(ADD, eventsTable.row(newEvent(delivery, receivedAt)));
    },
    listDue: async (now, limit, latest) => {
      const rows = await readRanges(integer(limit), [
        (size) => read.all(LIST_DUE, [integer(now), size]),
        // A delivery due later than `latest` was postponed before the clock was set back, and is due now, too.
        (size) => read.all(LIST_AHEAD, [integer(latest), size]),
      ]);
      return rows.map(eventOf);
    },
    move: async (id, to) => {
      await write([moveOf(text(id), to)]);
    },
    release: async (customerId, now) => {
      const params = [text(customerId), integer(now)];
      // Every applied event calls this, and hardly any has deliveries to release. A read is cheaper than a write.
      return (await read.get(HAS_WAITING, [customerId])) === undefined ? 0 : change(RELEASE, params);
    },
    retry: (id, now) =>
      id === null ? change(RETRY_ALL, [integer(now)]) : change(RETRY_BY_ID, [integer(now), text(id)]),
    list: async ({ standing }, after, limit) => {
      const conditions = [
        ...(standing === undefined ? [] : ['standing = ?']),
        ...(after === null ? [] : ['(received_at, id) < (?, ?)']),
      ];
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const params = [
        ...(standing === undefined ? [] : [text(standing)]),
        ...(after === null ? [] : [integer(after.receivedAt), text(after.id)]),
        integer(limit),
      ];
      const sql = `SELECT ${eventsTable.columns} FROM billing_events ${where} ${NEWEST_FIRST}`;
      return (await list(sql, params)).map(listedEvent);
    },
    listOf: (userId, limit) => list(LIST_OF, [text(userId), integer(limit)]),
    findState: async (id) => {
      const row = await read.get('SELECT standing FROM billing_events WHERE id = ?', [text(id)]);
      // Not validated: only this store writes the column.
      return row?.standing as EventState | undefined;
    },
    count: async (state) => {
      const sql = 'SELECT count(*) AS count FROM billing_events WHERE standing = ?';
      return Number((await read.get(sql, [text(state)]))?.count ?? 0);
    },
    eraseOf: async (userId, customerIds) => {
      await write([
        { sql: ERASE_OF_USER, params: [text(userId)] },
        { sql: ERASE_OF_CUSTOMERS, params: [JSON.stringify(customerIds.map(text))] },
      ]);
    },
    sweep: (before, limit) => change(SWEEP, [integer(before), integer(limit)]),
  };
};

const moveOf = (id: string, to: EventMove): Statement => {
  switch (to.state) {
    case 'waiting':
      return { sql: WAIT, params: [id, text(to.customerId)] };
    case 'pending':
      return { sql: POSTPONE, params: [id, integer(to.dueAt), text(to.failure)] };
    case 'dead':
      return { sql: BURY, params: [id, text(to.failure), textOrNull(to.userId)] };
    case 'ignored':
      return { sql: IGNORE, params: [id, textOrNull(to.userId), textOrNull(to.body)] };
    default:
      return { sql: APPLY, params: [id, textOrNull(to.userId)] };
  }
};

const eventOf = (row: Row): StoredEvent => ({
  id: String(row.id),
  body: String(row.body ?? ''),
  receivedAt: Number(row.received_at),
  tries: Number(row.tries),
});
