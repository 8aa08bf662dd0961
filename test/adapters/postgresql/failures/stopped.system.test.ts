import { expect } from 'chai';
import type { Client } from 'pg';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { connectTo } from '../../../support/servers/postgresql-server.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/servers/tcp-proxy.ts';
import { until } from '../../../support/until.ts';
import { databaseIn, postgresForTests } from '../postgres-for-tests.ts';
import { PATIENCE_MS, triesOf, UNAVAILABLE, usePostgres } from './database.ts';

const DEADLINE_MS = 2_500;
/** Far more than a call may take, since the machine may be busy. */
const GENEROUS_MS = 20_000;

/** The milliseconds until a refusal. */
const refusalTime = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  expect(await rejectionOf(work)).to.include(UNAVAILABLE);
  return performance.now() - startedAt;
};

describe('A PostgreSQL server that does not answer', () => {
  const { server, createDatabase } = postgresForTests({ settings: { max_connections: '60' } });
  const { create, open } = usePostgres();
  let url: string;
  let database: PostgresDatabase;
  let tries: ReturnType<typeof triesOf>;

  beforeEach(async () => {
    url = await createDatabase();
    database = await create(url, url, DEADLINE_MS);
    tries = triesOf(database);
    await tries.insert('a');
  });

  afterEach(() => server().signal('SIGCONT'));

  const waitForSuccess = () =>
    until(() =>
      tries.count('a').then(
        (changes) => changes === 1,
        () => false,
      ),
    );

  it('refuses first calls at the deadline and later calls earlier, and works after it resumes', async () => {
    server().signal('SIGSTOP');
    const first = await Promise.all([
      refusalTime(() => tries.count('a')),
      refusalTime(() => tries.find('a')),
    ]);
    for (const timeMs of first) expect(timeMs).to.be.within(DEADLINE_MS - 5, GENEROUS_MS);
    for (let call = 0; call < 5; call += 1)
      expect(await refusalTime(() => tries.find('a'))).to.be.below(DEADLINE_MS);
    expect(await database.isUp()).to.equal(false);
    server().signal('SIGCONT');
    await waitForSuccess();
    await until(() => database.isUp());
    expect(await tries.find('a')).to.be.at.least(2);
  });

  it('refuses 200 concurrent calls, and serves 50 concurrent calls after it resumes', async () => {
    server().signal('SIGSTOP');
    const calls = race(200, (place) =>
      rejectionOf(() => (place % 2 === 0 ? tries.count('a') : tries.find('a'))),
    );
    for (const error of await calls) expect(error).to.include(UNAVAILABLE);
    server().signal('SIGCONT');
    await waitForSuccess();
    expect(await race(50, () => tries.count('a'))).to.deep.equal(Array(50).fill(1));
  });

  it('does not prevent the close of a database with calls in progress', async () => {
    const calls = race(30, () => tries.count('a').catch(() => undefined));
    server().signal('SIGSTOP');
    const reading = race(30, () => tries.find('a').catch(() => undefined));
    await database.close();
    await Promise.all([calls, reading]);
    server().signal('SIGCONT');
    const open = async () =>
      (await server().run("SELECT 1 FROM pg_stat_activity WHERE application_name = 'gatehouse'")).rows.length;
    await until(async () => (await open()) === 0);
    expect(await open()).to.equal(0);
  });

  it('does not prevent the close of a database whose calls wait for connections', async () => {
    const fresh = await create(url, url, DEADLINE_MS);
    const calls = race(30, (place) =>
      (place % 2 === 0 ? triesOf(fresh).count('a') : triesOf(fresh).find('a')).catch(
        (error: unknown) => error,
      ),
    );
    await fresh.close();
    await calls;
    expect(await rejectionOf(() => triesOf(fresh).find('a'))).to.include(UNAVAILABLE);
  });

  it('makes calls unavailable if it does not answer on new connections, until it does', async () => {
    let isSilent = true;
    const proxy: TcpProxy = await startTcpProxy(server().port, () => {
      const silent = isSilent;
      return {
        // The first queries of the session.
        there: (data) => (silent && data.includes('search_path') ? Buffer.alloc(0) : data),
        back: (data) => data,
      };
    });
    try {
      const proxied = url.replace(/:\d+\//, `:${proxy.port}/`);
      const behind = triesOf(await create(url, proxied, DEADLINE_MS));
      for (const error of await race(20, () => rejectionOf(() => behind.find('a'))))
        expect(error).to.include(UNAVAILABLE);
      expect(await rejectionOf(() => behind.count('a'))).to.include(UNAVAILABLE);
      isSilent = false;
      await until(async () => {
        const answers = await Promise.allSettled([behind.find('a'), behind.count('a')]);
        return answers.every(({ status }) => status === 'fulfilled');
      });
    } finally {
      await proxy.close();
    }
  });

  it('refuses calls while other clients have all connections, and works after they end', async () => {
    const clients: Client[] = [];
    // Connections of earlier tests must end first: a later end would free one for a call.
    const leftovers = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'gatehouse' AND datname <> '${databaseIn(url)}'`;
    await until(async () => (await server().run(leftovers)).rows.length === 0);
    try {
      for (let isFull = false; !isFull; ) {
        const client = await connectTo(server().url('postgres')).catch(() => undefined);
        if (client === undefined) isFull = true;
        else clients.push(client);
      }
      const late = triesOf(open(url, DEADLINE_MS));
      expect(await rejectionOf(() => late.count('a'))).to.include(UNAVAILABLE);
      expect(await rejectionOf(() => late.find('a'))).to.include(UNAVAILABLE);
      await Promise.all(clients.splice(0).map((client) => client.end()));
      await until(() =>
        late.count('a').then(
          () => true,
          () => false,
        ),
      );
    } finally {
      await Promise.all(clients.splice(0).map((client) => client.end()));
    }
  });

  it('is checked for write access without disturbing concurrent units', async () => {
    server().signal('SIGSTOP');
    await refusalTime(() => tries.count('a'));
    server().signal('SIGCONT');
    await until(() =>
      tries.find('a').then(
        () => true,
        () => false,
      ),
    );
    const keyAt = (place: number) => (place % 10 === 0 ? 'a' : `key ${place}`);
    const isUp = database.isUp();
    const inserted = await race(300, (place) => tries.insert(keyAt(place)));
    expect(inserted).to.deep.equal(inserted.map((_, place) => (place % 10 === 0 ? -1 : 1)));
    const counts = await race(300, (place) => tries.find(keyAt(place)));
    expect(counts).not.to.include(undefined);
    expect(await isUp).to.equal(true);
  });

  it('executes no unit that was refused while it waited for a connection', async () => {
    const slow = open(url, 500);
    const insert = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 1, 0, 0)';
    const outcomes = await race(200, (place) =>
      slow
        .write([
          { sql: insert, params: [`slow ${place}`] },
          { sql: 'SELECT pg_sleep(0.1)', params: [] },
        ])
        .catch((error: unknown) => {
          expect(error).to.include(UNAVAILABLE);
        }),
    );
    const done = outcomes.filter((outcome) => outcome !== undefined).length;
    const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    await until(async () => (await server().run(sleeping)).rows.length === 0);
    const rows = await database.read.get("SELECT count(*) AS count FROM tries WHERE key LIKE 'slow %'", []);
    // Units that had started may be committed.
    expect(Number(rows?.count))
      .to.be.within(done, done + 8)
      .and.to.be.below(200);
  });

  it('keeps prepared statements after a preparation timed out on a lock', async () => {
    const locker = await connectTo(url);
    await locker.query('BEGIN; LOCK TABLE gatehouse.tries');
    const logged = server().log().length;
    const { read } = open(url, PATIENCE_MS);
    const finding = race(2, () => read.get('SELECT first_at FROM tries WHERE key = ?', ['a']));
    await until(() => server().log().slice(logged).includes('due to lock timeout'));
    await locker.query('COMMIT');
    await locker.end();
    expect(await finding).to.deep.equal([{ first_at: 0 }, { first_at: 0 }]);
    const prepared = 'SELECT count(*) AS count FROM pg_prepared_statements WHERE ? = 1';
    await race(4, () => read.get(prepared, [1]));
    expect(Number((await read.get(prepared, [1]))?.count)).to.be.greaterThan(0);
  });
});
