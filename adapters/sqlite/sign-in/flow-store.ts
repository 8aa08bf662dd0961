import type { Flow, FlowStage, FlowStore } from '../../../core/accounts/ways-in/flow.ts';
import { changesOf, type Database, text, textOrNull, whole } from '../engine/statements.ts';
import { fieldsTable, textIn, textOrNullIn, wholeIn } from '../table.ts';

const flowsTable = fieldsTable<Flow>('flows', {
  id: textIn('id'),
  stage: textIn<FlowStage>('stage'),
  codeDigest: textOrNullIn('code_digest'),
  content: textOrNullIn('content'),
  expiresAt: wholeIn('expires_at'),
  keptUntil: wholeIn('kept_until'),
});

const { columns, insert, row, record } = flowsTable;

const FIND = `SELECT ${columns} FROM flows WHERE id = ? AND expires_at > ?`;
const STEP = `
  UPDATE flows SET stage = ?3, expires_at = ?4
  WHERE id = ?1 AND stage = ?2 AND expires_at > ?5 AND (?6 IS NULL OR code_digest = ?6)`;
// A count of more would hold up the event loop.
const COUNT = 'SELECT count(*) AS count FROM (SELECT 1 FROM flows LIMIT 100000)';
const SWEEP = `
  DELETE FROM flows WHERE id IN (SELECT id FROM flows WHERE kept_until <= ? ORDER BY kept_until LIMIT ?)`;

/** Trips to providers, and what was used up, in the embedded store. */
export const makeSqliteFlowStore = ({ read, write }: Database): FlowStore => ({
  add: async (flow) => changesOf(await write([{ sql: insert, params: row(flow) }])) > 0,
  find: async (id, now) => {
    const found = read.get(FIND, [text(id), whole(now)]);
    return found && record(found);
  },
  step: async ({ id, from, to, codeDigest = null, expiresAt }, now) => {
    const params = [text(id), text(from), text(to), whole(expiresAt), whole(now), textOrNull(codeDigest)];
    return changesOf(await write([{ sql: STEP, params }])) > 0;
  },
  count: async () => Number(read.get(COUNT, [])?.count),
  sweep: async (now, limit) => changesOf(await write([{ sql: SWEEP, params: [whole(now), whole(limit)] }])),
});
