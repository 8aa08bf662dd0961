import { expect } from 'chai';
import pg from 'pg';
import { figure } from '../runner/figures.ts';
import { until } from '../until.ts';
import {
  canStartPostgresql,
  connectTo,
  POSTGRESQL_VERSIONS,
  type PostgresqlServer,
  startPostgresql,
} from './postgresql-server.ts';
import { timed } from './timed.ts';

const TABLE = 'CREATE TABLE notes (id bigint PRIMARY KEY)';

describe('A PostgreSQL server of a test', () => {
  let server: PostgresqlServer | undefined;

  before(function () {
    if (canStartPostgresql()) return;
    console.log('Left out: servers of a test. They need PostgreSQL as .ci/run installs it.');
    this.skip();
  });

  afterEach(async () => {
    await server?.end();
    server = undefined;
  });

  for (const version of POSTGRESQL_VERSIONS)
    it(`starts in version ${version}`, async function () {
      if (!canStartPostgresql(version)) return this.skip();
      server = await timed(`PostgreSQL ${version} started`, () => startPostgresql({ version }));
      const { rows } = await server.run('SHOW server_version_num');
      expect(Math.floor(Number(rows[0].server_version_num) / 10_000)).to.equal(version);
    });

  it('has the settings of its start, and makes databases', async () => {
    server = await startPostgresql({ settings: { max_connections: '20' } });
    await timed('A database made', async () => server?.createDatabase('my notes'));
    const show = async (name: string) => (await server?.run(`SHOW ${name}`, 'my notes'))?.rows[0][name];
    expect([await show('max_connections'), await show('fsync')]).to.deep.equal(['20', 'off']);
    await server.kill();
    await server.start({ max_connections: '30', fsync: 'on' });
    expect([await show('max_connections'), await show('fsync')]).to.deep.equal(['30', 'on']);
    const { rows } = await server.run("SELECT 'a' < 'B' AS sorted");
    expect(rows[0].sorted, 'as in English').to.equal(true);
  });

  it('keeps what was committed when it is killed under load', async () => {
    const started = await startPostgresql({ durable: true });
    server = started;
    await started.run(TABLE);
    let next = 0;
    const committed: number[] = [];
    const write = async () => {
      const client = await connectTo(started.url('postgres'));
      for (;;) {
        next += 1;
        const id = next;
        await client.query('INSERT INTO notes VALUES ($1)', [id]);
        committed.push(id);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    await until(() => committed.length > 500);
    await Promise.all([started.kill(), Promise.allSettled(writers)]);
    await timed('PostgreSQL started again after a crash', () => started.start());
    const { rows } = await started.run('SELECT id FROM notes');
    const stored = new Set(rows.map(({ id }) => Number(id)));
    figure(`${committed.length} rows committed before the crash, ${stored.size} kept`);
    expect(committed.filter((id) => !stored.has(id))).to.deep.equal([]);
  });

  it('answers nobody while it is stopped, on old connections neither', async () => {
    server = await startPostgresql();
    const client = await connectTo(server.url('postgres'));
    server.signal('SIGSTOP');
    let answers = 0;
    const answered = client.query('SELECT 1').then(() => {
      answers += 1;
    });
    const other = new pg.Client({ connectionString: server.url('postgres'), connectionTimeoutMillis: 300 });
    const failure = await other.connect().catch(String);
    expect(failure).to.match(/timeout/);
    expect(answers).to.equal(0);
    server.signal('SIGCONT');
    await answered;
    await client.end();
    expect(answers).to.equal(1);
  });

  it('ends while it is stopped', async () => {
    const stopped = await startPostgresql();
    stopped.signal('SIGSTOP');
    await stopped.end();
    expect(await connectTo(stopped.url('postgres')).catch(({ code }) => code)).to.equal('ECONNREFUSED');
  });

  it('says why it does not start', async () => {
    const failure = await startPostgresql({ settings: { work_mem: 'much' } }).catch(String);
    expect(failure).to.match(/did not start[\s\S]*work_mem/);
  });
});
