import type { ObjectStore } from '../../core/accounts/ports.ts';
import type { Counts } from '../../core/daily-statistics.ts';
import { earliestEnd, latestEndAt } from '../../core/lease-tolerance.ts';
import { EMPTY_AT_FIRST, FILLED_AT_FIRST } from '../transfer/first-start.ts';
import { loginKeyRecords } from '../transfer/login-key-records.ts';
import { objectsSection } from '../transfer/objects-section.ts';
import type {
  ImportProgress,
  SectionOf,
  TransferableStore,
  TransferredAttempts,
  TransferredDay,
  TransferredFile,
  TransferredLink,
} from '../transfer/sections.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import { accountsTable } from './account-store.ts';
import { auditTable, headTable } from './audit-store.ts';
import { raiseGeneration } from './cache-generation.ts';
import { type Database, integer, type Unit } from './database.ts';
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

/**
 * The records of a table in the order of the column `key`. A place is a key as text; `parsePlace` turns it back into the key.
 * `unique` names the columns whose values identify the record that `write` replaces.
 */
const sectionOf = <T>(
  { read, write }: Database,
  table: Table<T>,
  key: string,
  {
    parsePlace = String,
    unique = key,
  }: { parsePlace?(place: string): string | number; unique?: string } = {},
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
          : await read.all(fromAfter, [parsePlace(after), limit]);
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
      const keyRecords = await loginKeyRecords(records, async (keys) => findLoginKeys(database, keys));
      if (keyRecords.length > 0) await upsertAll(database.write, loginKeysTable, 'key', keyRecords);
      await accounts.write(records, from);
    },
  };
};

/** The sections of an export, table by table. Stored objects have a section of their own. */
export const sqlSections = (database: Database): Omit<TransferableStore['sections'], 'objects'> => ({
  accounts: accountsSection(database),
  // In the order in which they were added.
  sessions: sectionOf(database, sessionsTable, 'rowid', { parsePlace: Number, unique: 'user_id, id' }),
  tries: sectionOf(database, attemptsTable, 'key'),
  domains: sectionOf(database, domainsTable, 'domain'),
  outbox: sectionOf(database, outboxTable, 'id'),
  webhooks: sectionOf(database, webhooksTable, 'id'),
  audit: sectionOf(database, auditTable, 'number', { parsePlace: Number }),
  auditHead: sectionOf(database, headTable, 'one', { parsePlace: Number }),
  files: sectionOf(database, filesTable, 'id'),
  events: sectionOf(database, eventsTable, 'id'),
  links: sectionOf(database, linksTable, 'customer_id'),
  rates: sectionOf(database, ratesTable, 'one', { parsePlace: Number }),
  statistics: sectionOf(database, daysTable, 'day'),
});

// `STORE_LEASE` is held for a start or an import, not for work on the store.
const AT_WORK = `
  SELECT 1 AS one FROM leases WHERE name <> '${STORE_LEASE}' AND holder IS NOT NULL AND ends_at > ? AND ends_at <= ?
  LIMIT 1`;
// A first start leaves the first row of the audit log.
const USED = `
  SELECT ${EMPTY_AT_FIRST.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')}
    OR EXISTS (SELECT 1 FROM audit WHERE number > 1) AS used`;
// The rows of these queries differ after any work on the store: a process that changes something takes a lease, and a lease that
// was free or had expired gets a new fence. Commands change many file records without a lease: the counts of records show it.
const STATE = [
  'SELECT (SELECT value FROM audit_head) AS head, (SELECT number FROM cache_epoch) AS generation',
  `SELECT name, fence FROM leases WHERE name <> '${STORE_LEASE}' ORDER BY name`,
  'SELECT key_id, sum(files) AS files FROM file_counts GROUP BY key_id ORDER BY key_id',
];
// A key named `one` is always 1: its table has at most one row.
const START_IMPORT = `
  INSERT INTO imports (one, id, lines) VALUES (1, ?1, ?2) ON CONFLICT (one) DO UPDATE SET id = ?1, lines = ?2`;
// Matches no row once the import has ended.
const ADVANCE = 'UPDATE imports SET lines = ?2 WHERE id = ?1';

const startImport = ({ id, lines }: ImportProgress) => ({ sql: START_IMPORT, params: [id, integer(lines)] });
const emptyTable = (table: string) => ({ sql: `DELETE FROM ${table}`, params: [] });

export const makeSqlTransfer = (database: Database, objects: ObjectStore): TransferableStore => {
  const { read, write } = database;
  const change = async (unit: Unit): Promise<void> => {
    await write(unit);
  };

  return {
    sections: { ...sqlSections(database), objects: objectsSection(objects) },
    isFresh: async () => (await read.get(USED, []))?.used === 0,
    isAtWork: async (now) =>
      (await read.get(AT_WORK, [earliestEnd(integer(now)), latestEndAt(now)])) !== undefined,
    state: async () => JSON.stringify(await Promise.all(STATE.map((sql) => read.all(sql, [])))),
    unfinishedImport: async () => {
      const row = await read.get('SELECT id, lines FROM imports', []);
      return row && { id: String(row.id), lines: Number(row.lines) };
    },
    startImport: (progress) => change([...FILLED_AT_FIRST.map(emptyTable), startImport(progress)]),
    saveProgress: ({ id, lines }) => change([{ sql: ADVANCE, params: [id, integer(lines)] }]),
    // A new generation makes the caches forget what they read before the import.
    endImport: () => change([emptyTable('imports'), raiseGeneration(database.dialect)]),
  };
};
