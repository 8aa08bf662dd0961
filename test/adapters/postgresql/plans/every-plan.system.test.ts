import pg from 'pg';
import { SCHEMA } from '../../../../adapters/postgresql/engine/connections.ts';
import { openPostgres } from '../../../../adapters/postgresql/engine/database.ts';
import { upgradeSchema } from '../../../../adapters/postgresql/schema-version.ts';
import type { Clock } from '../../../../core/ports.ts';
import { objectStoreContract } from '../../../contracts/object-store.ts';
import { transferContract } from '../../../contracts/transfer.ts';
import { fillTables } from '../../sql/fill.ts';
import { keptCountsTests } from '../../sql/kept-counts.ts';
import { judgePlans, keepStatements, type Step } from '../../sql/plans.ts';
import { noting } from '../../sql/record-statements.ts';
import { storeSuites } from '../../store-suites.ts';
import { postgresForTests } from '../opened.ts';
import { explain } from './plans.ts';

const systemClock: Clock = { now: () => Date.now() };

/** Of every table that grows: so many that the planner prefers an index where one serves. */
const ROWS = 60_000;
/** Fills the tables without their triggers. VACUUM notes the spread for the planner, and which pages an index alone answers for. */
const FILL = [
  'SET session_replication_role TO replica',
  ...fillTables({ rows: ROWS, document: 'json', lanes: 16 }),
  `INSERT INTO objects SELECT 'u' || n || '/' || n, 0, '\\x00' FROM generate_series(1, ${ROWS}) AS n`,
  'VACUUM (ANALYZE)',
];
/** Those that no constraint needs. */
const NAMES = `
  SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = '${SCHEMA}'::regnamespace AND NOT indisunique ORDER BY relname COLLATE "C"`;
const COLUMNS = `
  SELECT relname AS name, array_agg(pg_get_indexdef(indexrelid, place, true) ORDER BY place) AS columns
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid, generate_series(1, indnkeyatts) AS place
  WHERE relnamespace = '${SCHEMA}'::regnamespace GROUP BY relname`;
const TRIGGERS = `SELECT prosrc AS body FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace`;

/** The statements of a trigger that look for rows, with parameters for what they take from their own row. */
const statementsIn = (body: string): readonly string[] =>
  [...body.matchAll(/\b(?:DELETE FROM|UPDATE \w+\.)[^;]*/g)].map(([sql]) =>
    sql.replaceAll(/\b(?:new|old)\.\w+/g, '?'),
  );

describe('The statements of the suites, in PostgreSQL', () => {
  const { openStore, createDatabase } = postgresForTests({ settings: { autovacuum: 'off' } });
  const { statements, keep } = keepStatements();
  const openNoted = (clock: Clock) => openStore(clock, (database) => noting(database, keep));

  storeSuites('PostgreSQL', openNoted);
  keptCountsTests('PostgreSQL', (clock) => openStore(clock));
  objectStoreContract('PostgreSQL', async () => {
    const { ports, close } = await openNoted(systemClock);
    return { store: ports.objects, close };
  });
  transferContract('PostgreSQL', async () => {
    const { close, ...store } = await openNoted(systemClock);
    return { store, close };
  });

  // In a suite of its own, which runs after those above.
  describe('on full tables', () => {
    let client: pg.Client;
    after(() => client.end());

    judgePlans('postgresql', async () => {
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
      const columns = new Map(rows.map((each) => [each.name, each.columns]));
      const steps = new Map<string, readonly Step[]>();
      for (const [sql, samples] of statements) steps.set(sql, await explain(client, sql, samples, columns));
      const { rows: indexes } = await client.query<{ name: string }>(NAMES);
      return { steps, indexes: indexes.map(({ name }) => name) };
    });
  });
});
