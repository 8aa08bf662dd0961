import type { Account } from '../../core/accounts/account.ts';
import type { DomainRecord } from '../../core/accounts/custom-domain-record.ts';
import type { AuditHead, AuditRow, OutboxMail } from '../../core/accounts/ports.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { EventStanding, KeptRates } from '../../core/billing/ports.ts';
import type {
  MovableStore,
  MovedEvent,
  MovedFile,
  MovedLink,
  MovedTries,
  SectionOf,
} from '../moving/sections.ts';
import { ACCOUNT_COLUMNS, accountColumns } from './account-store.ts';
import { AUDIT_COLUMNS, auditColumns, auditRow } from './audit-store.ts';
import type { Database } from './database.ts';
import { document } from './documents.ts';
import { domainColumns } from './domain-store.ts';
import { outboxMail } from './outbox-store.ts';
import { SESSION_COLUMNS, sessionColumns } from './session-store.ts';
import type { Row, Scalar } from './unit.ts';

interface Table<T> {
  readonly name: string;
  /** In the order of `columnsOf`. */
  readonly columns: string;
  /** What its rows are ordered by: one that is unique. */
  readonly key: string;
  /** Whether that is a number. */
  readonly isNumber?: true;
  readonly columnsOf: (record: T) => readonly Scalar[];
  readonly recordOf: (row: Row) => T;
}

const sectionOf = <T>({ read, write }: Database, table: Table<T>): SectionOf<T> => {
  const { name, columns, key, isNumber, columnsOf, recordOf } = table;
  const select = (where: string) =>
    `SELECT ${key} AS place, ${columns} FROM ${name} ${where} ORDER BY ${key} LIMIT ?`;
  const [fromFirst, fromAfter] = [select(''), select(`WHERE ${key} > ?`)];
  const insert = (count: number) =>
    `INSERT OR REPLACE INTO ${name} (${columns}) VALUES (${Array.from({ length: count }, () => '?').join(', ')})`;
  return {
    count: async () => Number(read.get(`SELECT count(*) AS count FROM ${name}`, [])?.count),
    read: async (after, limit) => {
      const rows =
        after === null
          ? read.all(fromFirst, [limit])
          : read.all(fromAfter, [isNumber ? Number(after) : after, limit]);
      return rows.map((row) => ({ place: String(row.place), record: recordOf(row) }));
    },
    write: async (records) => {
      const unit = records.map(columnsOf).map((params) => ({ sql: insert(params.length), params }));
      if (!(await write(unit)).done) throw new Error(`Records of ${name} could not be stored together.`);
    },
  };
};

const textOrNull = (value: Scalar | undefined): string | null => (typeof value === 'string' ? value : null);

/** What each table gives and takes when the store is moved; the objects have a place of their own. */
export const sqliteSections = (database: Database): Omit<MovableStore['sections'], 'objects'> => ({
  accounts: sectionOf<Account>(database, {
    name: 'accounts',
    columns: ACCOUNT_COLUMNS,
    key: 'id',
    columnsOf: accountColumns,
    recordOf: document,
  }),
  sessions: sectionOf<Session>(database, {
    name: 'sessions',
    columns: SESSION_COLUMNS,
    // The order in which they were added.
    key: 'rowid',
    isNumber: true,
    columnsOf: sessionColumns,
    recordOf: document,
  }),
  tries: sectionOf<MovedTries>(database, {
    name: 'tries',
    columns: 'key, count, first_at, ends_at',
    key: 'key',
    columnsOf: ({ key, count, firstAt, endsAt }) => [key, count, firstAt, endsAt],
    recordOf: (row) => ({
      key: String(row.key),
      count: Number(row.count),
      firstAt: Number(row.first_at),
      endsAt: Number(row.ends_at),
    }),
  }),
  domains: sectionOf<DomainRecord>(database, {
    name: 'domains',
    columns: 'domain, revision, look_at, doc',
    key: 'domain',
    columnsOf: domainColumns,
    recordOf: document,
  }),
  outbox: sectionOf<OutboxMail>(database, {
    name: 'outbox',
    columns:
      'id, user_id, address, template, at, tries, due_at, waits_from, dead_at, last_failure, fence, doc',
    key: 'id',
    columnsOf: ({ mail, userId, tries, dueAt, waitsFrom, deadAt, lastFailure }) => [
      ...[mail.id, userId, mail.to, mail.template, mail.at, tries, dueAt, waitsFrom, deadAt, lastFailure],
      ...[0, JSON.stringify(mail)],
    ],
    recordOf: outboxMail,
  }),
  audit: sectionOf<AuditRow>(database, {
    name: 'audit',
    columns: AUDIT_COLUMNS,
    key: 'number',
    isNumber: true,
    columnsOf: auditColumns,
    recordOf: auditRow,
  }),
  auditHead: sectionOf<AuditHead>(database, {
    name: 'audit_head',
    columns: 'one, number, value, signature',
    key: 'one',
    isNumber: true,
    columnsOf: ({ number, value, signature }) => [1, number, value, signature],
    recordOf: (row) => ({
      number: Number(row.number),
      value: String(row.value),
      signature: String(row.signature),
    }),
  }),
  files: sectionOf<MovedFile>(database, {
    name: 'files',
    columns: 'id, user_id, uploaded_at, size, bytes, key_id, entry, removed, accesses, accessed_at',
    key: 'id',
    columnsOf: ({ id, user, uploadedAt, size, bytes, keyId, entry, removed, accesses, accessedAt }) => [
      ...[id, user, uploadedAt, size, bytes, keyId, entry, removed ? 1 : 0, accesses, accessedAt],
    ],
    recordOf: (row) => ({
      id: String(row.id),
      user: String(row.user_id),
      uploadedAt: Number(row.uploaded_at),
      size: Number(row.size),
      bytes: Number(row.bytes),
      keyId: textOrNull(row.key_id),
      entry: String(row.entry),
      removed: row.removed === 1,
      accesses: Number(row.accesses),
      accessedAt: Number(row.accessed_at),
    }),
  }),
  events: sectionOf<MovedEvent>(database, {
    name: 'billing_events',
    columns: 'id, standing, received_at, due_at, tries, customer_id, user_id, last_failure, body',
    key: 'id',
    columnsOf: ({ id, standing, receivedAt, dueAt, tries, customerId, userId, lastFailure, body }) => [
      ...[id, standing, receivedAt, dueAt, tries, customerId, userId, lastFailure, body],
    ],
    recordOf: (row) => ({
      id: String(row.id),
      standing: String(row.standing) as EventStanding,
      receivedAt: Number(row.received_at),
      dueAt: Number(row.due_at),
      tries: Number(row.tries),
      customerId: textOrNull(row.customer_id),
      userId: textOrNull(row.user_id),
      lastFailure: textOrNull(row.last_failure),
      body: textOrNull(row.body),
    }),
  }),
  links: sectionOf<MovedLink>(database, {
    name: 'billing_customers',
    columns: 'customer_id, user_id',
    key: 'customer_id',
    columnsOf: ({ customerId, userId }) => [customerId, userId],
    recordOf: (row) => ({ customerId: String(row.customer_id), userId: String(row.user_id) }),
  }),
  rates: sectionOf<KeptRates>(database, {
    name: 'rates',
    columns: 'one, doc',
    key: 'one',
    isNumber: true,
    columnsOf: (rates) => [1, JSON.stringify(rates)],
    recordOf: document,
  }),
});
