import type { Row, Scalar, Statement } from '../../../../adapters/sql/database.ts';
import type { EmbeddedDatabase } from '../../../../adapters/sqlite/engine/database-file.ts';

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
