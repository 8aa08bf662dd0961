import pg from 'pg';
import { SCHEMA } from '../../../../adapters/postgresql/engine/connections.ts';
import { openPostgres } from '../../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import type { Clock } from '../../../../core/ports.ts';
import { objectStoreContract } from '../../../contracts/object-store.ts';
import { transferContract } from '../../../contracts/transfer.ts';
import { fillTables } from '../../sql/fill.ts';
import { keptCountsTests } from '../../sql/kept-counts.ts';
import { checkPlans, collectStatements, type Step } from '../../sql/plans.ts';
import { recordStatements } from '../../sql/record-statements.ts';
import { storeSuites } from '../../store-suites.ts';
import { postgresForTests } from '../postgres-for-tests.ts';
import { explain } from './plans.ts';

const systemClock: Clock = { now: () => Date.now() };

/** Rows of every growing table: enough that the planner prefers an index that serves. */
const ROWS = 60_000;
/** Fills the tables without their triggers. VACUUM collects statistics for the planner, and enables index-only scans. */
const FILL = [
  'SET session_replication_role TO replica',
  // VACUUM marks no page whose commit is not on the disk yet, and then the planner prefers a scan of the table.
  'SET synchronous_commit TO on',
  ...fillTables({ rows: ROWS, document: 'json', lanes: 16 }),
  `INSERT INTO objects SELECT 'u' || n || '/' || n, 0, '\\x00' FROM generate_series(1, ${ROWS}) AS n`,
  'VACUUM (ANALYZE)',
];
/** The indexes that no constraint needs. */
const NAMES = `
  SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = '${SCHEMA}'::regnamespace AND NOT indisunique ORDER BY relname COLLATE "C"`;
const COLUMNS = `
  SELECT relname AS name, array_agg(pg_get_indexdef(indexrelid, place, true) ORDER BY place) AS columns
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid, generate_series(1, indnkeyatts) AS place
  WHERE relnamespace = '${SCHEMA}'::regnamespace GROUP BY relname`;
const TRIGGERS = `SELECT prosrc AS body FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace`;

/** The statements of a trigger that search rows, with parameters in place of the columns of its own row. */
const statementsIn = (body: string): readonly string[] =>
  [...body.matchAll(/\b(?:DELETE FROM|UPDATE \w+\.)[^;]*/g)].map(([sql]) =>
    sql.replaceAll(/\b(?:new|old)\.\w+/g, '?'),
  );

describe('The statements of the suites, in PostgreSQL', () => {
  const { openStore, createDatabase } = postgresForTests({ settings: { autovacuum: 'off' } });
  const { statements, collect } = collectStatements();
  const openRecorded = (clock: Clock) => openStore(clock, (database) => recordStatements(database, collect));

  storeSuites('PostgreSQL', openRecorded);
  keptCountsTests('PostgreSQL', (clock) => openStore(clock));
  objectStoreContract('PostgreSQL', async () => {
    const { ports, close } = await openRecorded(systemClock);
    return { store: ports.objects, close };
  });
  transferContract('PostgreSQL', async () => {
    const { close, ...store } = await openRecorded(systemClock);
    return { store, close };
  });

  // A nested suite runs after the suites above.
  describe('on full tables', () => {
    let client: pg.Client;
    after(() => client.end());

    checkPlans('postgresql', async () => {
      const url = await createDatabase();
      const database = openPostgres({ url });
      await upgradeSchema(database);
      await database.close();
      client = new pg.Client(url);
      await client.connect();
      await client.query(`SET search_path TO ${SCHEMA}`);
      for (const text of FILL) await client.query(text);

      const { rows: triggers } = await client.query<{ body: string }>(TRIGGERS);
      for (const sql of triggers.flatMap(({ body }) => statementsIn(body)))
        statements.set(sql, [Array.from(sql.matchAll(/\?/g), () => '1')]);
      const { rows } = await client.query<{ name: string; columns: readonly string[] }>(COLUMNS);
      const columns = new Map(rows.map((row) => [row.name, row.columns]));
      const steps = new Map<string, readonly Step[]>();
      for (const [sql, samples] of statements) steps.set(sql, await explain(client, sql, samples, columns));
      const { rows: indexes } = await client.query<{ name: string }>(NAMES);
      return { steps, indexes: indexes.map(({ name }) => name) };
    });
  });
});
