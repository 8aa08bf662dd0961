import pg, { type ClientBase } from 'pg';
import { parameterOf, preparedText } from '../../../../adapters/postgresql/engine/statements.ts';
import type { Scalar } from '../../../../adapters/sql/database.ts';

/** A node of a plan as `EXPLAIN (FORMAT JSON)` writes it; what it did only if it was run. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a node of a plan does that takes the longer, the more rows there are; and the index that it uses. */
export interface Step {
  readonly fault?: string;
  readonly index?: string;
}

/** More rows than any page has: a sort of no more sorts what is returned. */
const MOST_ROWS = 1_000;

/** A node and those below it. A scan for a bitmap does not name the table, but the node above does. */
const nodesOf = (node: PlanNode): readonly PlanNode[] => {
  const { 'Relation Name': table } = node;
  const below = (node.Plans ?? []).map((child) =>
    table === undefined ? child : { 'Relation Name': table, ...child },
  );
  return [node, ...below.flatMap(nodesOf)];
};

/** The rows that go into a node, as planned or as they came. */
const rowsInto = ({ Plans: [source] = [] }: PlanNode): number =>
  source === undefined ? 0 : Math.max(source['Plan Rows'], source['Actual Rows'] ?? 0);

const stepOf = (node: PlanNode): Step => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
  if (type === 'Seq Scan') return { fault: `SCAN ${table}` };
  if (type === 'Sort' && rowsInto(node) > MOST_ROWS) return { fault: 'SORT' };
  if ((node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1) > MOST_ROWS)
    return { fault: `FILTER ${table}` };
  if (index === undefined) return {};
  return node['Index Cond'] === undefined ? { fault: `SCAN ${table} USING ${index}`, index } : { index };
};

const literal = (param: Scalar): string => {
  const text = parameterOf(param);
  return text === null ? 'NULL' : pg.escapeLiteral(text);
};

/** The server plans the first five executions for their parameters, and then decides whether it goes on so. */
const EXECUTIONS = 6;
const UNIQUE = '23505';

/** What the server does for a statement with these parameters, and what it does when it has seen them often. */
export const explain = async (
  client: ClientBase,
  sql: string,
  samples: readonly (readonly Scalar[])[],
): Promise<readonly Step[]> => {
  const calls = samples.map((params) =>
    params.length === 0 ? 'EXECUTE explained' : `EXECUTE explained (${params.map(literal).join(', ')})`,
  );
  const steps = async (options: string, call: string): Promise<readonly Step[]> => {
    const { rows } = await client.query(`EXPLAIN (${options}, FORMAT JSON) ${call}`);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode).map(stepOf);
  };
  await client.query(`BEGIN; PREPARE explained AS ${preparedText(sql).text}`);
  try {
    const planned: Step[] = [];
    for (let place = 0; place < EXECUTIONS; place += 1)
      planned.push(...(await steps('COSTS', calls[place % calls.length] ?? '')));
    // What goes over a whole table is known now, and takes long.
    if (planned.some(({ fault }) => fault !== undefined)) return planned;
    for (const call of calls) planned.push(...(await steps('ANALYZE, TIMING OFF', call)));
    return planned;
  } catch (error) {
    // Another row has the key: nothing is scanned for that.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE) return [];
    throw error;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL');
  }
};
