import { openPostgres, type PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import { rowOf, type Scalar } from '../../../../adapters/sql/database.ts';

/** How long a call may take on a busy machine; that it is not longer than it should be is another test's matter. */
export const PATIENCE = 60_000;

export const UNAVAILABLE = { kind: 'unavailable', code: 'store_unavailable' };

/** Units of work with one statement each, or with two, on a row of the table of tries, and what one reads there. */
export const triesOf = ({ read, write }: Pick<PostgresDatabase, 'read' | 'write'>) => {
  const changes = async (sql: string, params: readonly Scalar[]): Promise<number> => {
    const outcome = await write([{ sql, params }]);
    return outcome.done ? (outcome.results[0]?.changes ?? 0) : -1;
  };
  return {
    /** Neither idempotent nor conditional. */
    count: (key: string) => changes('UPDATE tries SET count = count + 1 WHERE key = ?', [key]),
    insert: (key: string) =>
      changes('INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 1, 0, 0)', [key]),
    /** Changes a count, if it is `from`. */
    change: (key: string, from: number, to: number) =>
      changes('UPDATE tries SET count = ? WHERE key = ? AND count = ?', [to, key, from]),
    /** Counts twice. */
    countTwice: async (key: string) => {
      const sql = 'UPDATE tries SET count = count + 1 WHERE key = ?';
      const outcome = await write([
        { sql, params: [key] },
        { sql, params: [key], need: true },
      ]);
      return outcome.done ? outcome.results.map(({ changes }) => changes) : outcome.because;
    },
    /** Counts, and answers with the count. */
    countAndFind: async (key: string) => {
      const sql = 'UPDATE tries SET count = count + 1 WHERE key = ? RETURNING count';
      return rowOf(await write([{ sql, params: [key] }]))?.count;
    },
    find: async (key: string) => (await read.get('SELECT count FROM tries WHERE key = ?', [key]))?.count,
  };
};

/** Opens databases that are closed after each test. */
export const usePostgres = () => {
  const opened: PostgresDatabase[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  const open = (url: string, deadline?: number): PostgresDatabase => {
    const database = openPostgres({ url, ...(deadline !== undefined && { deadline }) });
    opened.push(database);
    return database;
  };
  /** With the schema, which is created directly at `url`; calls go to `by`. */
  const create = async (url: string, by = url, deadline = PATIENCE): Promise<PostgresDatabase> => {
    const database = openPostgres({ url });
    try {
      await upgradeSchema(database);
    } finally {
      await database.close();
    }
    return open(by, deadline);
  };
  return { open, create };
};
