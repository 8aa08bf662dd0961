import pg, { type ClientBase } from 'pg';
import { parameterOf, preparedText } from '../../../../adapters/postgresql/engine/statements.ts';
import type { Scalar } from '../../../../adapters/sql/database.ts';
import type { Step } from '../../sql/plans.ts';

/** A node of a plan as `EXPLAIN (FORMAT JSON)` writes it. Actual values are present only with ANALYZE. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** More rows than any page has. A sort of at most so many rows sorts what is returned. */
const MOST_ROWS = 1_000;

/** A node and its descendants. A bitmap index scan does not name the table, but its parent does. */
const nodesOf = (node: PlanNode): readonly PlanNode[] => {
  const { 'Relation Name': table } = node;
  const children = (node.Plans ?? []).map((child) =>
    table === undefined ? child : { 'Relation Name': table, ...child },
  );
  return [node, ...children.flatMap(nodesOf)];
};

/** The input rows of a node, as planned or actual. */
const rowsInto = ({ Plans: [source] = [] }: PlanNode): number =>
  source === undefined ? 0 : Math.max(source['Plan Rows'], source['Actual Rows'] ?? 0);

/** The columns of each index, in its order. */
export type IndexColumns = ReadonlyMap<string, readonly string[]>;

/** A column that a scan compares in every key, since a column before it has no fixed value that would end the scan. */
const comparedIn = (
  { 'Index Name': index = '', 'Index Cond': condition = '' }: PlanNode,
  columns: IndexColumns,
) => {
  const fixed = new Set([...condition.matchAll(/\((\w+) = /g)].map(([, column]) => column));
  const ordered = columns.get(index) ?? [];
  const open = ordered.findIndex((column) => !fixed.has(column));
  // A row of columns is compared as one value.
  const later = open === -1 ? [] : ordered.slice(open + 1);
  return later.find((column) => new RegExp(`\\(${column} [<>=]`).test(condition));
};

const stepOf = (node: PlanNode, columns: IndexColumns): Step => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
  if (type === 'Seq Scan') return { fault: `SCAN ${table}` };
  if (type === 'Sort' && rowsInto(node) > MOST_ROWS) return { fault: 'SORT' };
  if (index === undefined) return {};
  const compared = comparedIn(node, columns);
  if (compared !== undefined) return { fault: `COMPARE ${compared} IN ${index}`, index };
  // Before PostgreSQL 17 the search for the greatest value has this condition, also for a column without NULL.
  const readsAll = /^(?:\(\w+ IS NOT NULL\))?$/.test(node['Index Cond'] ?? '');
  return readsAll ? { fault: `SCAN ${table} USING ${index}`, index } : { index };
};

/** Rows that a scan read, whether it returned them or not. */
const rowsRead = (node: PlanNode): number =>
  /^Bitmap Index|(?<!Scan)$/.test(node['Node Type']) || node['Relation Name'] === undefined
    ? 0
    : ((node['Actual Rows'] ?? 0) +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      (node['Actual Loops'] ?? 1);

/** Rows that a statement returns or changes, or aggregates to a page. */
const rowsOf = (node: PlanNode): number => {
  const { 'Node Type': type, 'Actual Rows': rows = 0, Plans: [source] = [] } = node;
  if (type === 'ModifyTable') return Math.max(rows, source?.['Actual Rows'] ?? 0);
  const isPage = source !== undefined && ['Limit', 'Subquery Scan'].includes(source['Node Type']);
  return type === 'Aggregate' && isPage ? rowsOf(source) : rows;
};

/** Reading this many rows is fast, even if few of them are returned. */
const FEW = 100;
const MOST_READ = 3;

/** The fault of a plan that read many rows in vain. */
const wasteOf = (root: PlanNode): Step => {
  const read = nodesOf(root).reduce((sum, node) => sum + rowsRead(node), 0);
  return read > FEW && read > MOST_READ * rowsOf(root) ? { fault: `READ ${read} FOR ${rowsOf(root)}` } : {};
};

const literal = (param: Scalar): string => {
  const text = parameterOf(param);
  return text === null ? 'NULL' : pg.escapeLiteral(text);
};

/** The server plans the first five executions for their parameters, and then may choose a generic plan. */
const EXECUTIONS = 6;
const UNIQUE = '23505';

/** The steps of a statement with these parameters, for its first executions and for repeated ones. */
export const explain = async (
  client: ClientBase,
  sql: string,
  samples: readonly (readonly Scalar[])[],
  columns: IndexColumns,
): Promise<readonly Step[]> => {
  const calls = samples.map((params) =>
    params.length === 0 ? 'EXECUTE explained' : `EXECUTE explained (${params.map(literal).join(', ')})`,
  );
  const steps = async (options: string, call: string): Promise<readonly Step[]> => {
    const { rows } = await client.query(`EXPLAIN (${options}, FORMAT JSON) ${call}`);
    const root = rows[0]['QUERY PLAN'][0].Plan as PlanNode;
    return [...nodesOf(root).map((node) => stepOf(node, columns)), wasteOf(root)];
  };
  await client.query(`BEGIN; PREPARE explained AS ${preparedText(sql).text}`);
  try {
    const planned: Step[] = [];
    for (let place = 0; place < EXECUTIONS; place += 1)
      planned.push(...(await steps('COSTS', calls[place % calls.length] ?? '')));
    // A change of a whole table has shown its fault, and would take long.
    if (!/^\s*SELECT\b/.test(sql) && planned.some(({ fault }) => fault !== undefined)) return planned;
    for (const call of calls) planned.push(...(await steps('ANALYZE, TIMING OFF, BUFFERS OFF', call)));
    return planned;
  } catch (error) {
    // A duplicate key ends the statement before it scans rows.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE) return [];
    throw error;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL');
  }
};
