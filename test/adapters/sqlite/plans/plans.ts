import type { Row, Scalar } from '../../../../adapters/sql/database.ts';

interface Explaining {
  all(sql: string, params: readonly Scalar[]): readonly Row[] | Promise<readonly Row[]>;
}

/** The steps in which SQLite goes about a statement. */
export const explain = async (
  read: Explaining,
  sql: string,
  params: readonly Scalar[] = [],
): Promise<readonly string[]> =>
  (await read.all(`EXPLAIN QUERY PLAN ${sql}`, params)).map(({ detail }) => String(detail));
