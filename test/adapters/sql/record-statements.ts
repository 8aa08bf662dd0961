import type { Database, Scalar, Statement, Unit } from '../../../adapters/sql/database.ts';

/** The same database; `note` is called with each statement. */
export const noting = <T extends Database>(database: T, note: (statement: Statement) => void): T => ({
  ...database,
  read: {
    get: (sql: string, params: readonly Scalar[]) => {
      note({ sql, params });
      return database.read.get(sql, params);
    },
    all: (sql: string, params: readonly Scalar[]) => {
      note({ sql, params });
      return database.read.all(sql, params);
    },
  },
  write: (unit: Unit) => {
    unit.forEach(note);
    return database.write(unit);
  },
  ...(database.writeInTurn && {
    writeInTurn: (...[turn, query, follow]: Parameters<NonNullable<Database['writeInTurn']>>) => {
      note(query);
      return database.writeInTurn?.(turn, query, async (row) => {
        const unit = await follow(row);
        unit.forEach(note);
        return unit;
      });
    },
  }),
  writeAtStart: (unit: Unit) => {
    unit.forEach(note);
    return database.writeAtStart(unit);
  },
});
