import type { MailEntry } from '../../core/accounts/outbox-entries.ts';
import type { OutboxStore } from '../../core/accounts/ports.ts';
import { batched } from '../../core/batched-calls.ts';
import {
  countByState,
  newOutboxItem,
  type Outbox,
  type OutboxItem,
  type PartCount,
  type Sendable,
  stateOf,
} from '../../core/outbox.ts';
import { firstDifferent } from '../../core/pagination.ts';
import type { WebhookEntry, WebhookStore } from '../../core/webhooks/ports.ts';
import {
  type Database,
  integer,
  integerOrNull,
  type Row,
  type Scalar,
  type Statement,
  text,
  textOrNull,
} from './database.ts';
import type { Dialect } from './dialect.ts';
import { type Cells, callsOn, cellsTable, document, type Table } from './table.ts';

const outboxTableOf = <Entry extends Sendable>(name: string, extraCells: Cells<OutboxItem<Entry>>) =>
  cellsTable<OutboxItem<Entry>>(
    name,
    {
      id: ({ entry }) => text(entry.id),
      user_id: ({ userId }) => text(userId),
      address: ({ entry }) => text(entry.to),
      ...extraCells,
      at: ({ entry }) => integer(entry.at),
      tries: ({ tries }) => integer(tries),
      due_at: ({ dueAt }) => integer(dueAt),
      waits_from: ({ waitsFrom }) => integer(waitsFrom),
      dead_at: ({ deadAt }) => integerOrNull(deadAt),
      last_failure: ({ lastFailure }) => textOrNull(lastFailure),
      // The fence of the latest claim; 0 before the first.
      fence: () => 0,
      doc: ({ entry }) => JSON.stringify(entry),
    },
    (row) => ({
      entry: document<Entry>(row),
      userId: String(row.user_id),
      tries: Number(row.tries),
      dueAt: Number(row.due_at),
      waitsFrom: Number(row.waits_from),
      deadAt: typeof row.dead_at === 'number' ? row.dead_at : null,
      lastFailure: typeof row.last_failure === 'string' ? row.last_failure : null,
    }),
  );

export const outboxTable = outboxTableOf<MailEntry>('outbox', {
  template: ({ entry }) => text(entry.template),
});
export const webhooksTable = outboxTableOf<WebhookEntry>('webhooks', {
  endpoint: ({ entry }) => text(entry.endpoint),
});

/** Entries that one query reads. */
const PAGE = 500;
/** Entries that one query counts. */
const PART = 2_000;
/** The most claims and removals in one write. */
const MOST_TOGETHER = 256;

/** An address with the time at which an entry for it is due or began to wait. */
interface Position {
  readonly time: number;
  readonly address: string;
}

/** Sorts after every address. */
const LAST_ADDRESS = '\u{10ffff}';

const positionOf = (row: Row): Position => ({ time: Number(row.time), address: String(row.address) });

/** If `byEndpoint`, `listDue` and `listAhead` return the addresses of one endpoint, and `part` groups entries by endpoint. */
const statementsOf = <T>({ name, columns, insert }: Table<T>, byEndpoint: boolean, { least }: Dialect) => {
  const within = (param: number) => (byEndpoint ? `AND endpoint = ?${param}` : '');
  const retryAll = `UPDATE ${name} SET due_at = ${least}(due_at, ?1), dead_at = NULL`;
  return {
    add: `${insert} ON CONFLICT (id) DO NOTHING`,
    // A failed entry waits from `waits_from` until `due_at`. `listDue` reads entries whose wait is over: ?4 is now. `listAhead`
    // reads entries whose wait begins in the future: the clock was set back, and they are due as well. Each list is in the order
    // of an index; to group by address would read all entries.
    listDue: `
      SELECT DISTINCT due_at AS time, address FROM ${name} WHERE dead_at IS NULL ${within(5)}
        AND (due_at, address) > (?1, ?2) AND due_at <= ?4 ORDER BY due_at, address LIMIT ?3`,
    listAhead: `
      SELECT DISTINCT waits_from AS time, address FROM ${name} WHERE dead_at IS NULL ${within(4)}
        AND (waits_from, address) > (?1, ?2) ORDER BY waits_from, address LIMIT ?3`,
    listFor: `SELECT ${columns} FROM ${name} WHERE address = ? AND dead_at IS NULL ORDER BY at, id`,
    claim: `UPDATE ${name} SET fence = ?2, tries = tries + 1 WHERE id = ?1 AND dead_at IS NULL AND fence <= ?2`,
    postpone: `
      UPDATE ${name} SET due_at = ?2, waits_from = ?3, last_failure = ?4 WHERE id = ?1 AND dead_at IS NULL`,
    bury: `UPDATE ${name} SET dead_at = ?2, last_failure = ?3 WHERE id = ?1 AND dead_at IS NULL`,
    remove: `DELETE FROM ${name} WHERE id = ?`,
    list: `SELECT ${columns} FROM ${name} WHERE id > ? ORDER BY id LIMIT ?`,
    part: `
      SELECT id, at, tries, dead_at, ${byEndpoint ? 'endpoint' : "''"} AS entry_group FROM ${name}
        WHERE id > ? ORDER BY id LIMIT ?`,
    retryAll,
    retryById: `${retryAll} WHERE id = ?2`,
  };
};

const partOf = ({ id, at, tries, dead_at, entry_group }: Row): PartCount => ({
  group: String(entry_group),
  state: stateOf({ tries: Number(tries), deadAt: typeof dead_at === 'number' ? dead_at : null }),
  count: 1,
  oldestAt: Number(at),
  lastId: String(id),
});

/** An outbox in a table. */
const makeOutbox = <Entry extends Sendable>(
  database: Database,
  table: Table<OutboxItem<Entry>>,
  { byEndpoint }: { readonly byEndpoint: boolean },
) => {
  const { read, write, dialect } = database;
  const sql = statementsOf(table, byEndpoint, dialect);
  const { list, change } = callsOn(database, table);

  // A transaction for each claim and each removal would cost more than the delivery itself.
  const changeTogether = batched(async (statements: readonly Statement[]) => {
    const outcome = await write(statements);
    // The unit is always done: its statements neither have `need` nor change a unique key.
    return outcome.done ? outcome.results.map(({ changes }) => changes) : [];
  }, MOST_TOGETHER);

  const listDue = async (now: number, limit: number, ...endpoint: readonly string[]) => {
    const listed =
      (statement: string, laterThan: number, ...rest: readonly Scalar[]) =>
      async (after: Position | null, most: number) => {
        // Without `after` the list begins behind every entry of the time `laterThan`.
        const { time, address } = after ?? { time: laterThan, address: LAST_ADDRESS };
        return (await read.all(statement, [time, address, most, ...rest])).map(positionOf);
      };
    const lists = [
      listed(sql.listDue, Number.MIN_SAFE_INTEGER, integer(now), ...endpoint),
      listed(sql.listAhead, now, ...endpoint),
    ];
    return firstDifferent(integer(limit), PAGE, lists, ({ address }) => address);
  };

  return {
    list,
    change,
    listDue,
    calls: {
      add: async (userId, entry) => {
        await change(sql.add, table.row(newOutboxItem(userId, entry)));
      },
      listFor: async (to) => list(sql.listFor, [text(to)]),
      claim: async (id, fence) =>
        (await changeTogether({ sql: sql.claim, params: [text(id), integer(fence)] })) > 0,
      remove: async (id) => {
        await changeTogether({ sql: sql.remove, params: [text(id)] });
      },
      postpone: async (id, { from, until }, failure) => {
        await change(sql.postpone, [text(id), integer(until), integer(from), text(failure)]);
      },
      bury: async (id, now, failure) => {
        await change(sql.bury, [text(id), integer(now), text(failure)]);
      },
      list: async (after, limit) => list(sql.list, [textOrNull(after) ?? '', integer(limit)]),
      count: () =>
        countByState(PART, async (after, size) => (await read.all(sql.part, [after, size])).map(partOf)),
      retry: async (id, now) =>
        id === null ? change(sql.retryAll, [integer(now)]) : change(sql.retryById, [integer(now), text(id)]),
    } satisfies Omit<Outbox<Entry>, 'listDue'>,
  };
};

const LIST_OF = `SELECT ${outboxTable.columns} FROM outbox WHERE user_id = ? ORDER BY id`;
/** The database computes the column `state` from the others. */
const LIST_BY_STATE = `SELECT ${outboxTable.columns} FROM outbox WHERE state = ? AND id > ? ORDER BY id LIMIT ?`;
const REMOVE_FOR = 'DELETE FROM outbox WHERE user_id = ? AND template <> ?';

/** The outbox of mails. */
export const makeSqlOutboxStore = (database: Database): OutboxStore => {
  const { calls, list, change, listDue } = makeOutbox(database, outboxTable, { byEndpoint: false });
  return {
    ...calls,
    listDue: (now, limit) => listDue(now, limit),
    listOf: async (userId) => list(LIST_OF, [text(userId)]),
    listByState: async (state, after, limit) =>
      list(LIST_BY_STATE, [text(state), textOrNull(after) ?? '', integer(limit)]),
    removeFor: async (userId, exceptTemplate) => {
      await change(REMOVE_FOR, [text(userId), text(exceptTemplate)]);
    },
  };
};

/** The outbox of webhooks. */
export const makeSqlWebhookStore = (database: Database): WebhookStore => {
  const { calls, change, listDue } = makeOutbox(database, webhooksTable, { byEndpoint: true });
  return {
    ...calls,
    listDue: (now, limit, endpoint) => listDue(now, limit, text(endpoint)),
    discard: async (which) =>
      'id' in which
        ? change('DELETE FROM webhooks WHERE id = ?', [text(which.id)])
        : change('DELETE FROM webhooks WHERE endpoint = ?', [text(which.endpoint)]),
  };
};
