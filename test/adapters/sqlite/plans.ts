import { type Database, openDatabase } from '../../../adapters/sqlite/database.ts';
import type { Statement } from '../../../adapters/sqlite/unit.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

/** Stores on a database whose statements are looked at. Call it inside `describe`. */
export const watchPlans = <T>(make: (database: Database) => T) => {
  const folder = useTempFolder();
  let database: Database;
  let stores: T;
  let asked: Statement[] = [];

  beforeEach(() => {
    database = openDatabase({ folder: folder() });
    const { read, write } = database;
    const note = (sql: string, params: Statement['params']) => asked.push({ sql, params });
    stores = make({
      ...database,
      read: {
        get: (sql, params) => {
          note(sql, params);
          return read.get(sql, params);
        },
        all: (sql, params) => {
          note(sql, params);
          return read.all(sql, params);
        },
      },
      write: (unit) => {
        asked.push(...unit);
        return write(unit);
      },
    });
  });

  afterEach(() => database.close());

  return {
    stores: () => stores,
    /** The steps in which SQLite goes about each statement that the call makes. */
    plansOf: async (call: () => Promise<unknown>): Promise<string[][]> => {
      asked = [];
      await call();
      return asked.map(({ sql, params }) =>
        database.read.all(`EXPLAIN QUERY PLAN ${sql}`, params).map(({ detail }) => String(detail)),
      );
    },
  };
};
