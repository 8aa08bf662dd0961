import { setImmediate } from 'node:timers/promises';
import { newMail } from '../../core/accounts/mail/new-mail.ts';
import type { MailEntry } from '../../core/accounts/pending.ts';
import type { OutboxMail, OutboxStore } from '../../core/accounts/ports.ts';
import { firstDifferent } from '../../core/pages.ts';
import type { Database } from './database.ts';
import {
  changesOf,
  type Row,
  type Scalar,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from './engine/statements.ts';
import { cellsTable, document } from './table.ts';

export const outboxTable = cellsTable<OutboxMail>(
  'outbox',
  {
    id: ({ mail }) => text(mail.id),
    user_id: ({ userId }) => text(userId),
    address: ({ mail }) => text(mail.to),
    template: ({ mail }) => text(mail.template),
    at: ({ mail }) => whole(mail.at),
    tries: ({ tries }) => whole(tries),
    due_at: ({ dueAt }) => whole(dueAt),
    waits_from: ({ waitsFrom }) => whole(waitsFrom),
    dead_at: ({ deadAt }) => wholeOrNull(deadAt),
    last_failure: ({ lastFailure }) => textOrNull(lastFailure),
    // The fence of the latest claim; 0 before the first.
    fence: () => 0,
    doc: ({ mail }) => JSON.stringify(mail),
  },
  (row) => ({
    mail: document<MailEntry>(row),
    userId: String(row.user_id),
    tries: Number(row.tries),
    dueAt: Number(row.due_at),
    waitsFrom: Number(row.waits_from),
    deadAt: typeof row.dead_at === 'number' ? row.dead_at : null,
    lastFailure: typeof row.last_failure === 'string' ? row.last_failure : null,
  }),
);

const ADD = `${outboxTable.insert} ON CONFLICT (id) DO NOTHING`;
// Two lists, each in the order of its own index. To group by address would read all mails that are due.
const LIST_DUE = `
  SELECT DISTINCT due_at AS time, address FROM outbox WHERE dead_at IS NULL
    AND (due_at, address) > (?1, ?2) AND due_at <= ?4 ORDER BY due_at, address LIMIT ?3`;
const LIST_AHEAD = `
  SELECT DISTINCT waits_from AS time, address FROM outbox WHERE dead_at IS NULL
    AND (waits_from, address) > (?1, ?2) ORDER BY waits_from, address LIMIT ?3`;
const LIST_FOR = `
  SELECT ${outboxTable.columns} FROM outbox
  WHERE address = ? AND dead_at IS NULL ORDER BY at, id`;
const CLAIM = `
  UPDATE outbox SET fence = ?2, tries = tries + 1 WHERE id = ?1 AND dead_at IS NULL AND fence <= ?2`;
const POSTPONE = `
  UPDATE outbox SET due_at = ?2, waits_from = ?3, last_failure = ?4 WHERE id = ?1 AND dead_at IS NULL`;
const BURY = 'UPDATE outbox SET dead_at = ?2, last_failure = ?3 WHERE id = ?1 AND dead_at IS NULL';
const REMOVE_FOR = "DELETE FROM outbox WHERE user_id = ? AND template <> 'account-deleted'";
const LIST = `SELECT ${outboxTable.columns} FROM outbox WHERE id > ? ORDER BY id LIMIT ?`;
const LIST_OF = `SELECT ${outboxTable.columns} FROM outbox WHERE user_id = ? ORDER BY id`;
const RETRY_ALL = 'UPDATE outbox SET due_at = min(due_at, ?1), dead_at = NULL';
const RETRY_ONE = `${RETRY_ALL} WHERE id = ?2`;

/** Mails that one query reads. */
const PAGE = 500;

/** An address with the time at which a mail to it is due or began to wait. */
interface Waiting {
  readonly time: number;
  readonly address: string;
}

/** Sorts after every address. */
const LAST_ADDRESS = '\u{10ffff}';

const waitingOf = (row: Row): Waiting => ({ time: Number(row.time), address: String(row.address) });

/** Waiting mails in the embedded store. */
export const makeSqliteOutboxStore = ({ read, write }: Database): OutboxStore => {
  const change = async (sql: string, params: readonly Scalar[]) => changesOf(await write([{ sql, params }]));

  return {
    add: async (userId, mail) => {
      await change(ADD, outboxTable.row(newMail(userId, mail)));
    },
    listDue: async (now, limit) => {
      const listed =
        (sql: string, first: number, ...rest: readonly number[]) =>
        async (after: Waiting | null, most: number) => {
          await setImmediate();
          const { time, address } = after ?? { time: first, address: LAST_ADDRESS };
          return read.all(sql, [time, address, most, ...rest]).map(waitingOf);
        };
      const lists = [listed(LIST_DUE, Number.MIN_SAFE_INTEGER, whole(now)), listed(LIST_AHEAD, now)];
      return firstDifferent(whole(limit), PAGE, lists, ({ address }) => address);
    },
    listFor: async (to) => read.all(LIST_FOR, [text(to)]).map(outboxTable.record),
    claim: async (id, fence) => (await change(CLAIM, [text(id), whole(fence)])) > 0,
    remove: async (id) => {
      await change('DELETE FROM outbox WHERE id = ?', [text(id)]);
    },
    postpone: async (id, { from, until }, failure) => {
      await change(POSTPONE, [text(id), whole(until), whole(from), text(failure)]);
    },
    bury: async (id, now, failure) => {
      await change(BURY, [text(id), whole(now), text(failure)]);
    },
    removeFor: async (userId) => {
      await change(REMOVE_FOR, [text(userId)]);
    },
    list: async (after, limit) =>
      read.all(LIST, [textOrNull(after) ?? '', whole(limit)]).map(outboxTable.record),
    listOf: async (userId) => read.all(LIST_OF, [text(userId)]).map(outboxTable.record),
    retry: async (id, now) =>
      id === null ? change(RETRY_ALL, [whole(now)]) : change(RETRY_ONE, [whole(now), text(id)]),
  };
};
