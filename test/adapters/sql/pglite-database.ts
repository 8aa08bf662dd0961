import { postgresqlDialect } from '../../../adapters/postgresql/dialect.ts';
import { SCHEMA } from '../../../adapters/postgresql/engine/connections.ts';
import { parameterOf, preparedText, types } from '../../../adapters/postgresql/engine/statements.ts';
import { schemaTexts } from '../../../adapters/postgresql/schema-version.ts';
import {
  checkScalars,
  type Database,
  type Outcome,
  type Result,
  type Row,
  type Scalar,
  type Unit,
} from '../../../adapters/sql/database.ts';
import { startPglite } from '../../support/servers/pglite.ts';
import { MAKE_EMPTY_TABLES } from './empty-tables.ts';

type Parse = (cell: string) => Scalar;

const UNIQUE = '23505';

/** A database that suites share, one after another. */
type SharedDatabase = Database & { empty(): Promise<unknown>; close(): Promise<void> };

/** Opens the product's schema in PostgreSQL in this process. Its only connection runs one unit after another. */
export const openPgliteDatabase = async (): Promise<SharedDatabase> => {
  const pglite = await startPglite();
  for (const text of schemaTexts) await pglite.exec(text);
  await pglite.exec(`SET search_path TO ${SCHEMA}`);
  await pglite.exec(MAKE_EMPTY_TABLES);

  const run = async (sql: string, params: readonly Scalar[]): Promise<Result> => {
    checkScalars(params);
    const { fields, rows, affectedRows } = await pglite.query(preparedText(sql), params.map(parameterOf));
    const columns = fields.map(({ name, dataTypeID }) => {
      const parse: Parse = types.getTypeParser(dataTypeID as never);
      return { name, parse };
    });
    const rowOf = (cells: readonly (string | null)[]): Row =>
      Object.fromEntries(
        columns.map(({ name, parse }, place) => {
          const cell = cells[place] ?? null;
          return [name, cell === null ? null : parse(cell)];
        }),
      );
    return { rows: rows.map(rowOf), changes: Math.max(rows.length, affectedRows) };
  };

  const runUnit = async (unit: Unit): Promise<Outcome> => {
    // A single statement is a transaction by itself, and `need` rejects only one without effect.
    const control = async (sql: string) => {
      if (unit.length > 1) await pglite.exec(sql);
    };
    await control('BEGIN');
    try {
      const results: Result[] = [];
      for (const { sql, params, need } of unit) {
        const result = await run(sql, params);
        if (need === true && result.changes === 0) {
          await control('ROLLBACK');
          return { done: false, because: 'need' };
        }
        results.push(result);
      }
      await control('COMMIT');
      return { done: true, results };
    } catch (error) {
      await control('ROLLBACK');
      if (error instanceof Error && 'code' in error && error.code === UNIQUE)
        return { done: false, because: 'unique' };
      throw error;
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  /** Runs the work alone: a read beside a unit would become part of the unit. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const write = async (unit: Unit): Promise<Outcome> => {
    for (const { params } of unit) checkScalars(params);
    return alone(() => runUnit(unit));
  };

  return {
    dialect: postgresqlDialect,
    read: {
      get: async (sql, params) => (await alone(() => run(sql, params))).rows[0],
      all: async (sql, params) => (await alone(() => run(sql, params))).rows,
    },
    write,
    writeAtStart: write,
    empty: () => alone(() => run('SELECT pg_temp.empty_tables()', [])),
    close: () => alone(pglite.close),
  };
};
