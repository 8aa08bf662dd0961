import { storeUnavailable } from '../../calls/store-calls.ts';
import { checkScalars, type Outcome, type Unit } from '../../sql/database.ts';
import { sqliteDialect } from '../dialect.ts';
import { runBatch } from './batch.ts';
import { type Connection, connectRaw } from './connection.ts';
import type { EmbeddedDatabase } from './database-file.ts';
import { migrate } from './migrate.ts';

/** Statements that create at once the schema and the rows that a migrated database has. */
const creationOf = (connection: Connection): string => {
  const objects = connection.all(
    `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
     ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid`,
    [],
  );
  const sqlOf = (isWanted: (type: string) => boolean) =>
    objects.filter(({ type }) => isWanted(String(type))).map(({ sql }) => String(sql));
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const inserts = tables.flatMap((table) => {
    const columns = connection.all(`PRAGMA table_info(${table})`, []).map(({ name }) => String(name));
    const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `);
    const rows = connection.all(`SELECT ${values} AS row_values FROM ${table}`, []);
    return rows.map(({ row_values }) => `INSERT INTO ${table} (${columns}) VALUES (${row_values})`);
  });
  const [version] = connection.all('PRAGMA user_version', []);
  return [
    'BEGIN',
    ...sqlOf((type) => type === 'table'),
    // Before the triggers, which would change further rows.
    ...inserts,
    ...sqlOf((type) => type !== 'table'),
    `PRAGMA user_version = ${version?.user_version}`,
    'COMMIT',
  ].join(';\n');
};

/** The schemas of this process. To create one takes a quarter of the time of its migrations, which tests notice. */
const creations = new WeakMap<readonly string[], string>();

const createSchema = (connection: Connection, migrations: readonly string[]) => {
  const creation = creations.get(migrations);
  if (creation !== undefined) return connection.exec(creation);
  migrate(connection, { migrations, upgrades: true });
  creations.set(migrations, creationOf(connection));
};

/** Opens an empty database in memory, without a file and without the writer thread: each write is done at once. */
export const openMemoryDatabase = (migrations: readonly string[]): EmbeddedDatabase => {
  const connection = connectRaw(':memory:');
  createSchema(connection, migrations);
  let commits = 0;
  let open = true;

  // libsql aborts the process when `inTransaction` is read on a closed connection.
  const checkOpen = () => {
    if (!open) throw storeUnavailable();
  };
  const writeNow = (unit: Unit): Outcome => {
    for (const { params } of unit) checkScalars(params);
    checkOpen();
    const batch = runBatch(connection, [unit]);
    const answer = 'answers' in batch ? batch.answers[0] : { broken: batch.failure };
    if (answer === undefined || 'broken' in answer)
      throw new Error(`A write to the store is wrong: ${answer?.broken}.`);
    commits += 1;
    return answer;
  };

  return {
    dialect: sqliteDialect,
    read: {
      get: async (sql, params) => {
        checkScalars(params);
        checkOpen();
        return connection.get(sql, params);
      },
      all: async (sql, params) => {
        checkScalars(params);
        checkOpen();
        return connection.all(sql, params);
      },
    },
    write: async (unit) => writeNow(unit),
    writeAtStart: async (unit) => writeNow(unit),
    canWrite: async () => true,
    counts: () => ({ commits, units: commits }),
    close: async () => {
      if (open) connection.close();
      open = false;
    },
  };
};
