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
import { EMPTY } from './empty-tables.ts';

/** bool, int8, int2, int4, text, oid, json, numeric. */
const TYPES = [16, 20, 21, 23, 25, 26, 114, 1700];
const parsers = Object.fromEntries(TYPES.map((type) => [type, types.getTypeParser(type as never)]));

const UNIQUE = '23505';

/** A database that suites share, one after another. */
type SharedDatabase = Database & { empty(): Promise<void>; close(): Promise<void> };

/** The schema of the product in PostgreSQL in this process, whose one connection runs units one after another. */
export const openPgliteDatabase = async (): Promise<SharedDatabase> => {
  const pglite = await startPglite();
  for (const text of schemaTexts) await pglite.exec(text);
  await pglite.exec(`SET search_path TO ${SCHEMA}`);

  const run = async (sql: string, params: readonly Scalar[]): Promise<Result> => {
    checkScalars(params);
    const { rows, affectedRows } = await pglite.query(
      preparedText(sql).text,
      params.map(parameterOf),
      parsers as never,
    );
    return { rows: rows as readonly Row[], changes: Math.max(rows.length, affectedRows) };
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
  /** Runs the work alone: a read beside a unit would be part of it. */
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
    empty: () => alone(() => pglite.exec(EMPTY)),
    close: () => alone(pglite.close),
  };
};
