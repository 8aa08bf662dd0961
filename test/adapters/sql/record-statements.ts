import type { Database, Scalar, Statement, Unit } from '../../../adapters/sql/database.ts';

/** A database that calls `record` with each statement. */
export const recordStatements = <T extends Database>(
  database: T,
  record: (statement: Statement) => void,
): T => ({
  ...database,
  read: {
    get: (sql: string, params: readonly Scalar[]) => {
      record({ sql, params });
      return database.read.get(sql, params);
    },
    all: (sql: string, params: readonly Scalar[]) => {
      record({ sql, params });
      return database.read.all(sql, params);
    },
  },
  write: (unit: Unit) => {
    unit.forEach(record);
    return database.write(unit);
  },
  ...(database.writeInTurn && {
    writeInTurn: (...[turn, query, follow]: Parameters<NonNullable<Database['writeInTurn']>>) => {
      record(query);
      return database.writeInTurn?.(turn, query, async (row) => {
        const unit = await follow(row);
        unit.forEach(record);
        return unit;
      });
    },
  }),
  writeAtStart: (unit: Unit) => {
    unit.forEach(record);
    return database.writeAtStart(unit);
  },
});
