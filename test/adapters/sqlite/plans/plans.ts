import type { Row, Scalar, Statement } from '../../../../adapters/sql/database.ts';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../../adapters/sqlite/engine/database-file.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

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

/** The same database; `note` is called with each statement. */
export const noting = (
  database: EmbeddedDatabase,
  note: (statement: Statement) => void,
): EmbeddedDatabase => ({
  ...database,
  read: {
    get: (sql, params) => {
      note({ sql, params });
      return database.read.get(sql, params);
    },
    all: (sql, params) => {
      note({ sql, params });
      return database.read.all(sql, params);
    },
  },
  write: (unit) => {
    unit.forEach(note);
    return database.write(unit);
  },
  writeAtStart: (unit) => {
    unit.forEach(note);
    return database.writeAtStart(unit);
  },
});

/** Stores on a database whose statements are looked at. Call it inside `describe`. */
export const watchPlans = <T>(make: (database: EmbeddedDatabase) => T) => {
  const folder = useTempFolder();
  let database: EmbeddedDatabase;
  let stores: T;
  let statements: Statement[] = [];

  beforeEach(() => {
    database = openDatabase({ folder: folder() });
    stores = make(noting(database, (statement) => statements.push(statement)));
  });

  afterEach(() => database.close());

  return {
    stores: () => stores,
    /** The steps in which SQLite goes about each statement that the call makes. */
    plansOf: async (call: () => Promise<unknown>): Promise<(readonly string[])[]> => {
      statements = [];
      await call();
      return Promise.all(statements.map(({ sql, params }) => explain(database.read, sql, params)));
    },
  };
};
