import type { Counts } from '../../core/daily-statistics.ts';
import { loginKeyRecords } from '../transfer/login-key-records.ts';
import type {
  SectionOf,
  TransferableStore,
  TransferredAttempts,
  TransferredDay,
  TransferredFile,
  TransferredLink,
} from '../transfer/sections.ts';
import { accountsTable } from './account-store.ts';
import { auditTable, headTable } from './audit-store.ts';
import type { Database } from './database.ts';
import { domainsTable } from './domain-store.ts';
import { eventsTable } from './event-ledger.ts';
import { ratesTable } from './exchange-rate-store.ts';
import { exportedFileColumns } from './file-store.ts';
import { findLoginKeys, loginKeysTable } from './login-key-store.ts';
import { outboxTable, webhooksTable } from './outbox-store.ts';
import { sessionsTable } from './session-store.ts';
import { fieldsTable, flagIn, integerIn, type Table, textIn } from './table.ts';

const attemptsTable = fieldsTable<TransferredAttempts>('tries', {
  key: textIn('key'),
  count: integerIn('count'),
  firstAt: integerIn('first_at'),
  endsAt: integerIn('ends_at'),
});

const filesTable = fieldsTable<TransferredFile>('files', {
  ...exportedFileColumns,
  removed: flagIn('removed'),
  accesses: integerIn('accesses'),
  accessedAt: integerIn('accessed_at'),
});

const linksTable = fieldsTable<TransferredLink>('billing_customers', {
  customerId: textIn('customer_id'),
  userId: textIn('user_id'),
});

const daysTable = fieldsTable<TransferredDay>('statistics', {
  day: textIn('day'),
  counted: {
    name: 'doc',
    write: (counted) => (counted === null ? null : JSON.stringify(counted)),
    read: (cell) => (cell === null ? null : (JSON.parse(String(cell)) as Counts)),
  },
  mailWaitingMost: integerIn('mail_waiting_most'),
  cacheHits: integerIn('cache_hits'),
  cacheMisses: integerIn('cache_misses'),
});

/** The records of a table in the order of `key`, a number or a text; `unique` columns tell which record is replaced. */
const sectionOf = <T>(
  { read, write }: Database,
  table: Table<T>,
  key: string,
  { placeOf = String, unique = key }: { placeOf?(place: string): string | number; unique?: string } = {},
): SectionOf<T> => {
  const { name, columns } = table;
  const select = (where: string) =>
    `SELECT ${key} AS place, ${columns} FROM ${name} ${where} ORDER BY ${key} LIMIT ?`;
  const fromFirst = select('');
  const fromAfter = select(`WHERE ${key} > ?`);
  return {
    count: async () => Number((await read.get(`SELECT count(*) AS count FROM ${name}`, []))?.count),
    read: async (after, limit) => {
      const rows =
        after === null
          ? await read.all(fromFirst, [limit])
          : await read.all(fromAfter, [placeOf(after), limit]);
      return rows.map((row) => ({ place: String(row.place), record: table.record(row) }));
    },
    write: (records) => upsertAll(write, table, unique, records),
  };
};

/** Stores records, replacing rows with the same ids. */
const upsertAll = async <T>(
  write: Database['write'],
  { name, upsert, row }: Table<T>,
  unique: string,
  records: readonly T[],
): Promise<void> => {
  const sql = upsert(unique);
  const unit = records.map((record) => ({ sql, params: row(record) }));
  if (!(await write(unit)).done) throw new Error(`Records of ${name} could not be stored together.`);
};

/** The records of login keys are made from the accounts that name them. */
const accountsSection = (database: Database): TransferableStore['sections']['accounts'] => {
  const accounts = sectionOf(database, accountsTable, 'id');
  return {
    ...accounts,
    write: async (records, from) => {
      const keys = await loginKeyRecords(records, async (keys) => findLoginKeys(database, keys));
      if (keys.length > 0) await upsertAll(database.write, loginKeysTable, 'key', keys);
      await accounts.write(records, from);
    },
  };
};

/** The sections of an export, table by table. Stored objects have a section of their own. */
export const sqlSections = (database: Database): Omit<TransferableStore['sections'], 'objects'> => ({
  accounts: accountsSection(database),
  // In the order in which they were added.
  sessions: sectionOf(database, sessionsTable, 'rowid', { placeOf: Number, unique: 'user_id, id' }),
  tries: sectionOf(database, attemptsTable, 'key'),
  domains: sectionOf(database, domainsTable, 'domain'),
  outbox: sectionOf(database, outboxTable, 'id'),
  webhooks: sectionOf(database, webhooksTable, 'id'),
  audit: sectionOf(database, auditTable, 'number', { placeOf: Number }),
  auditHead: sectionOf(database, headTable, 'one', { placeOf: Number }),
  files: sectionOf(database, filesTable, 'id'),
  events: sectionOf(database, eventsTable, 'id'),
  links: sectionOf(database, linksTable, 'customer_id'),
  rates: sectionOf(database, ratesTable, 'one', { placeOf: Number }),
  statistics: sectionOf(database, daysTable, 'day'),
});
