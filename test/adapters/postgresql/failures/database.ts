import { openPostgres, type PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import { rowOf, type Scalar } from '../../../../adapters/sql/database.ts';

/** Long enough for a test server on a busy machine. Other tests check how long a call may take. */
export const PATIENCE_MS = 60_000;

export const UNAVAILABLE = { kind: 'unavailable', code: 'store_unavailable' };

/** Units of one or two statements on a row of the table `tries`, and a read of its count. */
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
    /** Counts, and returns the count. */
    countAndFind: async (key: string) => {
      const sql = 'UPDATE tries SET count = count + 1 WHERE key = ? RETURNING count';
      return rowOf(await write([{ sql, params: [key] }]))?.count;
    },
    find: async (key: string) => (await read.get('SELECT count FROM tries WHERE key = ?', [key]))?.count,
  };
};

/** Opens databases that are closed after each test. */
export const usePostgres = () => {
  const databases: PostgresDatabase[] = [];
  afterEach(async () => {
    await Promise.all(databases.splice(0).map((database) => database.close()));
  });
  const open = (url: string, deadline?: number): PostgresDatabase => {
    const database = openPostgres({ url, ...(deadline !== undefined && { deadline }) });
    databases.push(database);
    return database;
  };
  /** Creates the schema at `url`, and opens the database at `callUrl`. */
  const create = async (url: string, callUrl = url, deadline = PATIENCE_MS): Promise<PostgresDatabase> => {
    const database = openPostgres({ url });
    try {
      await upgradeSchema(database);
    } finally {
      await database.close();
    }
    return open(callUrl, deadline);
  };
  return { open, create };
};
