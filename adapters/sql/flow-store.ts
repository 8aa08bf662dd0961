import type { Flow, FlowStage, FlowStore } from '../../core/accounts/store-ports.ts';
import { changesOf, type Database, integer, text, textOrNull } from './database.ts';
import { fieldsTable, integerIn, textIn, textOrNullIn } from './table.ts';

const flowsTable = fieldsTable<Flow>('flows', {
  id: textIn('id'),
  stage: textIn<FlowStage>('stage'),
  codeDigest: textOrNullIn('code_digest'),
  content: textOrNullIn('content'),
  expiresAt: integerIn('expires_at'),
  keptUntil: integerIn('kept_until'),
});

const { columns, insert, row, record } = flowsTable;

const FIND = `SELECT ${columns} FROM flows WHERE id = ? AND expires_at > ?`;
// If ?6 is null, the digest of the flow is not compared. The cast tells PostgreSQL the type of this parameter.
const STEP = `
  UPDATE flows SET stage = ?3, expires_at = ?4
  WHERE id = ?1 AND stage = ?2 AND expires_at > ?5 AND (CAST(?6 AS TEXT) IS NULL OR code_digest = ?6)`;
// The limit bounds how long the count blocks the event loop.
const COUNT = 'SELECT count(*) AS count FROM (SELECT 1 FROM flows LIMIT 100000) AS page';
// Until `kept_until` the id of an expired record stays taken.
const SWEEP = `
  DELETE FROM flows WHERE kept_until <= ?1 AND id IN (
    SELECT id FROM flows WHERE kept_until <= ?1 ORDER BY kept_until LIMIT ?2)`;

/** Sign-in flows, and records of used single-use values. */
export const makeSqlFlowStore = ({ read, write }: Database): FlowStore => ({
  // If the id is taken, `write` undoes the insert and does not throw: nothing has changed.
  add: async (flow) => changesOf(await write([{ sql: insert, params: row(flow) }])) > 0,
  find: async (id, now) => {
    const flowRow = await read.get(FIND, [text(id), integer(now)]);
    return flowRow && record(flowRow);
  },
  step: async ({ id, from, to, codeDigest = null, expiresAt }, now) => {
    const params = [text(id), text(from), text(to), integer(expiresAt), integer(now), textOrNull(codeDigest)];
    return changesOf(await write([{ sql: STEP, params }])) > 0;
  },
  count: async () => Number((await read.get(COUNT, []))?.count),
  sweep: async (now, limit) =>
    changesOf(await write([{ sql: SWEEP, params: [integer(now), integer(limit)] }])),
});
