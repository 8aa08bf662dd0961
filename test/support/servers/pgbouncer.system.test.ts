import { expect } from 'chai';
import { canStartPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.ts';
import {
  canStartPostgresql,
  connectTo,
  type PostgresqlServer,
  startPostgresql,
} from './postgresql-server.ts';
import { timed } from './timed.ts';

describe('A PgBouncer of a test', () => {
  let server: PostgresqlServer;
  let pgbouncer: Pgbouncer;

  before(async function () {
    if (!canStartPostgresql() || !canStartPgbouncer()) return this.skip();
    server = await startPostgresql();
    pgbouncer = await timed('PgBouncer started', () => startPgbouncer(server, { mode: 'transaction' }));
  });

  after(async () => {
    await pgbouncer?.end();
    await server?.end();
  });

  it('lends a connection for a transaction', async () => {
    await server.createDatabase('pooled');
    const clients = await Promise.all(Array.from({ length: 40 }, () => connectTo(pgbouncer.url('pooled'))));
    const pids = await Promise.all(
      clients.map(async (client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid),
    );
    await Promise.all(clients.map((client) => client.end()));
    expect(new Set(pids).size).to.be.within(1, 20);
  });

  it('starts again after a crash', async () => {
    await pgbouncer.kill();
    await pgbouncer.start();
    const client = await connectTo(pgbouncer.url('postgres'));
    expect((await client.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await client.end();
  });
});
