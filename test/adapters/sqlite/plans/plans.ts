import type { Row, Scalar } from '../../../../adapters/sql/database.ts';
import type { Connection } from '../../../../adapters/sqlite/engine/connection.ts';

interface Explainable {
  all(sql: string, params: readonly Scalar[]): readonly Row[] | Promise<readonly Row[]>;
}

/** The steps of the query plan for a statement. */
export const explain = async (
  read: Explainable,
  sql: string,
  params: readonly Scalar[] = [],
): Promise<readonly string[]> =>
  (await read.all(`EXPLAIN QUERY PLAN ${sql}`, params)).map(({ detail }) => String(detail));

/** Reading this many rows is fast, even if few of them are returned. */
const FEW = 100;
/** The fewest steps of SQLite's virtual machine for a row that it skips: to compare it, and to go to the next. */
const STEPS_OF_ROW = 4;
/** Keys that may be read for each returned row. */
const MOST_READ = 3;

/** A page is returned as one row of lines. */
const linesIn = (value: Scalar): number => (typeof value === 'string' ? value.split('\n').length : 0);

const STEPS = 'SELECT nstep FROM sqlite_stmt WHERE sql = ?';

/**
 * The rows that a statement reads in vain with these parameters, as text; undefined if they are few. The driver reports no
 * scanned rows, but SQLite counts the steps of its virtual machine. For a returned row it takes each step of the program at
 * most once, and some steps more for other rows that it may read.
 */
export const wasteOf = (
  connection: Connection,
  sql: string,
  params: readonly Scalar[],
): string | undefined => {
  const length = connection.all(`EXPLAIN ${sql}`, params).length;
  const stepsUntilNow = () => Number(connection.all(STEPS, [sql])[0]?.nstep ?? 0);
  connection.exec('BEGIN');
  try {
    const stepsBefore = stepsUntilNow();
    const { changes, rows } = connection.run({ sql, params });
    const steps = stepsUntilNow() - stepsBefore;
    const returned = Math.max(changes, ...rows.flatMap((row) => Object.values(row).map(linesIn)));
    const most = (returned + 1) * (length + (MOST_READ - 1) * STEPS_OF_ROW) + FEW * STEPS_OF_ROW;
    return steps > most ? `READ ${Math.ceil((steps - most) / STEPS_OF_ROW)} FOR ${returned}` : undefined;
  } catch (error) {
    // A duplicate key ends the statement before it reads rows.
    if (error instanceof Error && /UNIQUE constraint/.test(error.message)) return undefined;
    throw error;
  } finally {
    connection.exec('ROLLBACK');
  }
};
