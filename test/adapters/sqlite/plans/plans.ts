import type { Row, Scalar } from '../../../../adapters/sql/database.ts';
import type { Connection } from '../../../../adapters/sqlite/engine/connection.ts';

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

/** Fewer rows are read in no time, however few of them are wanted. */
const FEW = 100;
/** What the machine does at least for a row that it comes to and passes over: to compare it, and to go to the next. */
const STEPS_OF_ROW = 4;
/** Keys that may be read for one that is returned. */
const MOST_READ = 3;

/** A page comes as one row of lines. */
const linesIn = (value: Scalar): number => (typeof value === 'string' ? value.split('\n').length : 0);

const STEPS = 'SELECT nstep FROM sqlite_stmt WHERE sql = ?';

/**
 * What a statement did with these parameters beyond what it returned or changed, as text; undefined if that was little. The
 * driver tells no rows of a scan, but SQLite counts the steps of its machine. For a row that it returns it takes each step of
 * the program at the most once, and as much for others that it may read.
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
    const before = stepsUntilNow();
    const { changes, rows } = connection.run({ sql, params });
    const steps = stepsUntilNow() - before;
    const returned = Math.max(changes, ...rows.flatMap((row) => Object.values(row).map(linesIn)));
    const most = (returned + 1) * (length + (MOST_READ - 1) * STEPS_OF_ROW) + FEW * STEPS_OF_ROW;
    return steps > most ? `READ ${Math.ceil((steps - most) / STEPS_OF_ROW)} FOR ${returned}` : undefined;
  } catch (error) {
    // Another row has the key: nothing is read for that.
    if (error instanceof Error && /UNIQUE constraint/.test(error.message)) return undefined;
    throw error;
  } finally {
    connection.exec('ROLLBACK');
  }
};
