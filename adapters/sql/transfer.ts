import type { ObjectStore } from '../../core/accounts/ports.ts';
import { EMPTY_AT_FIRST, FILLED_AT_FIRST } from '../transfer/first-start.ts';
import { objectsSection } from '../transfer/objects-section.ts';
import type { ImportProgress, TransferableStore } from '../transfer/sections.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import { raiseGeneration } from './cache-generation.ts';
import { type Database, integer, type Unit } from './database.ts';
import { sqlSections } from './transfer-sections.ts';

const AT_WORK = `
  SELECT 1 AS one FROM leases WHERE name <> '${STORE_LEASE}' AND holder IS NOT NULL AND ends_at > ? LIMIT 1`;
// A first start leaves the first row of the audit log.
const USED = `
  SELECT ${EMPTY_AT_FIRST.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')}
    OR EXISTS (SELECT 1 FROM audit WHERE number > 1) AS used`;
// Every process that changes something takes a lease, and a new holder has a new fence.
const STATE = [
  'SELECT (SELECT value FROM audit_head) AS head, (SELECT number FROM cache_epoch) AS generation',
  `SELECT name, fence FROM leases WHERE name <> '${STORE_LEASE}' ORDER BY name`,
];
const START_IMPORT = `
  INSERT INTO imports (one, id, lines) VALUES (1, ?1, ?2) ON CONFLICT (one) DO UPDATE SET id = ?1, lines = ?2`;
// An import that has ended has no row.
const ADVANCE = 'UPDATE imports SET lines = ?2 WHERE id = ?1';

const startImport = ({ id, lines }: ImportProgress) => ({ sql: START_IMPORT, params: [id, integer(lines)] });
const emptyTable = (table: string) => ({ sql: `DELETE FROM ${table}`, params: [] });

/** Export from and import into an SQL database. */
export const makeSqlTransfer = (database: Database, objects: ObjectStore): TransferableStore => {
  const { read, write } = database;
  const change = async (unit: Unit): Promise<void> => {
    await write(unit);
  };

  return {
    sections: { ...sqlSections(database), objects: objectsSection(objects) },
    isFresh: async () => (await read.get(USED, []))?.used === 0,
    isAtWork: async (now) => (await read.get(AT_WORK, [integer(now)])) !== undefined,
    state: async () => JSON.stringify(await Promise.all(STATE.map((sql) => read.all(sql, [])))),
    unfinishedImport: async () => {
      const row = await read.get('SELECT id, lines FROM imports', []);
      return row && { id: String(row.id), lines: Number(row.lines) };
    },
    startImport: (progress) => change([...FILLED_AT_FIRST.map(emptyTable), startImport(progress)]),
    saveProgress: ({ id, lines }) => change([{ sql: ADVANCE, params: [id, integer(lines)] }]),
    endImport: () => change([emptyTable('imports'), raiseGeneration(database.dialect)]),
  };
};
