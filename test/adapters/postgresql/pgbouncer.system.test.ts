import { expect } from 'chai';
import { openPostgres, type PostgresDatabase } from '../../../adapters/postgresql/engine/database.ts';
import { makePostgresObjects } from '../../../adapters/postgresql/object-store.ts';
import { upgradeSchema } from '../../../adapters/postgresql/schema-version.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { attemptsStoreContract } from '../../contracts/attempts-store.ts';
import { race } from '../../contracts/race.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { type Pgbouncer, startPgbouncer } from '../../support/servers/pgbouncer.ts';
import { EMPTY_TABLES } from '../sql/empty-tables.ts';
import { PATIENCE_MS, triesOf } from './failures/database.ts';
import { databaseIn, postgresForTests } from './postgres-for-tests.ts';

const clock = { now: () => Date.now() };
/** Connections to the server. Two processes with 10 connections each share them. */
const POOL = { default_pool_size: '4' };

describe('A PostgreSQL server behind PgBouncer in transaction mode', () => {
  const { server, createDatabase } = postgresForTests();
  let pgbouncer: Pgbouncer | undefined;
  let databases: readonly [PostgresDatabase, PostgresDatabase];

  before(async () => {
    pgbouncer = await startPgbouncer(server(), POOL);
    await server().run(`
      ALTER ROLE postgres SET search_path TO gatehouse;
      ALTER ROLE postgres SET idle_in_transaction_session_timeout TO '10s'`);
    const url = pgbouncer.url(databaseIn(await createDatabase()));
    const open = () => openPostgres({ url, deadline: PATIENCE_MS });
    databases = [open(), open()];
    await upgradeSchema(databases[0]);
  });

  after(async () => {
    await Promise.all((databases ?? []).map((database) => database.close()));
    await pgbouncer?.end();
  });

  it('serves concurrent calls of two processes on 4 connections to the server', async () => {
    const [first, second] = databases.map(triesOf);
    if (first === undefined || second === undefined) throw new Error('There are fewer than two databases.');
    await first.insert('a');
    const changes = await race(60, (place) => (place % 2 === 0 ? first : second).count('a'));
    expect(changes).to.deep.equal(Array(60).fill(1));
    expect(await race(60, (place) => (place % 2 === 0 ? first : second).find('a'))).to.deep.equal(
      Array(60).fill(61),
    );
    const { rows } = await server().run("SELECT 1 FROM pg_stat_activity WHERE datname LIKE 'gatehouse%'");
    expect(rows.length).to.be.at.most(4);
  });

  const portsOf = (database: PostgresDatabase) =>
    sqlPorts(database, { clock, objects: makePostgresObjects(database, clock) });
  const close = () => databases[0].runScript([`SET search_path TO gatehouse; ${EMPTY_TABLES}`]);

  accountStoreContract('PgBouncer', async () => ({ store: portsOf(databases[0]).accounts, close }));
  sessionStoreContract('PgBouncer', async () => ({ store: portsOf(databases[0]).sessions, close }));
  attemptsStoreContract('PgBouncer', async () => ({ store: portsOf(databases[0]).attempts, close }));

  it('serves pending calls after a restart of PgBouncer', async () => {
    const tries = triesOf(databases[1]);
    await tries.insert('b');
    await pgbouncer?.kill();
    const counting = race(20, () => tries.count('b'));
    await pgbouncer?.start();
    expect(await counting).to.deep.equal(Array(20).fill(1));
    expect(await tries.find('b')).to.equal(21);
  });
});
