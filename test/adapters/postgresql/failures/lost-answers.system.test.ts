import { expect } from 'chai';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { makeSqlSessionStore } from '../../../../adapters/sql/session-store.ts';
import { race } from '../../../contracts/race.ts';
import { sampleSession } from '../../../contracts/samples.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { startReplica } from '../../../support/servers/postgresql-replica.ts';
import { connectTo } from '../../../support/servers/postgresql-server.ts';
import { until } from '../../../support/until.ts';
import { databaseIn, postgresForTests } from '../postgres-for-tests.ts';
import { triesOf, usePostgres } from './database.ts';
import { type LosingProxy, type LostMessage, startLosingProxy } from './losing-proxy.ts';

const rounds = process.env.LONG === undefined ? ROUNDS * 2 : 500;

describe('A PostgreSQL server whose answers are lost', function () {
  this.timeout(300_000 + rounds * 1_000);
  const { server, createDatabase } = postgresForTests({
    durable: true,
    settings: { wal_writer_delay: '10s' },
  });
  const { create, open } = usePostgres();
  let proxy: LosingProxy;
  let url: string;
  let database: PostgresDatabase;
  let tries: ReturnType<typeof triesOf>;

  /** Statements that wait for a lock. */
  const listWaiting = async () =>
    (await server().run("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rows;

  before(async () => {
    proxy = await startLosingProxy(server().port);
  });

  after(() => proxy?.close());

  beforeEach(async () => {
    url = await createDatabase();
    database = await create(url, proxy.urlOf(url));
    tries = triesOf(database);
    await tries.insert('key a');
  });

  for (const lost of ['request', 'answer'] satisfies LostMessage[]) {
    it(`applies each statement once, and returns its effect, if its ${lost} is lost`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const key = `round ${round}.`;
        const insertLosses = proxy.lose(lost, key);
        expect(await tries.insert(key)).to.equal(1);
        const countLosses = proxy.lose(lost, key, 2);
        expect(await tries.count(key)).to.equal(1);
        const changeLosses = proxy.lose(lost, key);
        expect(await tries.change(key, 2, 10)).to.equal(1);
        expect(await tries.change(key, 2, 10)).to.equal(0);
        expect([insertLosses(), countLosses(), changeLosses()]).to.deep.equal([
          1,
          lost === 'request' ? 2 : 1,
          1,
        ]);
        expect(await tries.find(key)).to.equal(10);
      }
    });

    it(`applies each unit once, and returns its effect, if the ${lost} of its commit is lost`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const key = `round ${round}.`;
        await tries.insert(key);
        const countLosses = proxy.lose(lost, 'COMMIT', 2);
        expect(await tries.countTwice(key)).to.deep.equal([1, 1]);
        const findLosses = proxy.lose(lost, 'COMMIT');
        expect(await tries.countAndFind(key)).to.equal(4);
        expect([countLosses(), findLosses()]).to.deep.equal([lost === 'request' ? 2 : 1, 1]);
        expect(await tries.find(key)).to.equal(4);
      }
    });
  }

  const SESSION = sampleSession('one session', { userId: 'user' });
  const next = { ...SESSION, refreshDigest: 'digest of one', lastUsedAt: SESSION.lastUsedAt + 1 };
  const other = { ...SESSION, refreshDigest: 'digest of another', lastUsedAt: SESSION.lastUsedAt + 2 };

  for (const lost of ['request', 'answer'] satisfies LostMessage[])
    it(`replaces a session once, and reports it, if the ${lost} is lost twice`, async () => {
      const sessions = makeSqlSessionStore(database);
      await sessions.add(SESSION, 20);
      const losses = proxy.lose(lost, 'one session', 2);
      expect(await sessions.change(SESSION, next)).to.equal(true);
      expect(losses()).to.equal(2);
      expect(await sessions.change(SESSION, next)).to.equal(false);
      expect(await sessions.find('user', 'one session')).to.deep.equal(next);
    });

  for (const lost of ['request', 'answer'] satisfies LostMessage[])
    it(`does not report another process's change as its own if its ${lost} is lost`, async () => {
      const [sessions, others] = [database, open(url)].map(makeSqlSessionStore);
      await sessions?.add(SESSION, 20);
      const losses = proxy.lose(lost, 'digest of one');
      proxy.hold();
      const changing = sessions?.change(SESSION, next);
      await others?.change(SESSION, other);
      proxy.release();
      expect(await changing).to.equal(false);
      expect(losses()).to.equal(1);
      expect(await sessions?.find('user', 'one session')).to.deep.equal(other);
    });

  it('applies a unit once if the answers to its statements are lost', async () => {
    const lost = proxy.lose('answer', 'BEGIN', 3);
    expect(await tries.countTwice('key a')).to.deep.equal([1, 1]);
    expect([lost(), await tries.find('key a')]).to.deep.equal([3, 3]);
  });

  it('applies a unit once if the answers to its fence are lost, too', async () => {
    const countLosses = proxy.lose('answer', 'count + 1');
    const done = tries.count('key a');
    await until(() => countLosses() === 1);
    const lost = proxy.lose('answer', 'SET fence', 2);
    expect(await done).to.equal(1);
    expect(lost()).to.be.at.most(2);
    expect(await tries.find('key a')).to.equal(2);
  });

  it('applies a unit once that was repeated while its first attempt waited for a lock', async () => {
    const holder = await connectTo(url);
    await holder.query("BEGIN; UPDATE gatehouse.tries SET count = 10 WHERE key = 'key a'");
    const counting = tries.count('key a');
    await until(async () => (await listWaiting()).length === 1);
    proxy.cut();
    // The server has not noticed that its client has gone.
    await until(async () => (await listWaiting()).length === 2);
    await holder.query('COMMIT');
    await holder.end();
    expect(await counting).to.equal(1);
    await until(async () => (await listWaiting()).length === 0);
    expect(await tries.find('key a')).to.equal(11);
  });

  it('deletes the rows of writers that were not used for 25 hours', async () => {
    await server().run("UPDATE gatehouse.writers SET used_at = now() - interval '25 hours'", databaseIn(url));
    const others = triesOf(open(proxy.urlOf(url)));
    await others.count('key a');
    const { rows } = await server().run('SELECT 1 FROM gatehouse.writers', databaseIn(url));
    expect(rows).to.have.length(1);
  });

  it('applies each of 30 concurrent units once if answers are lost', async () => {
    const lost = proxy.lose('answer', 'key a', 10);
    expect(await race(30, () => tries.count('key a'))).to.deep.equal(Array(30).fill(1));
    // Requests in one packet are lost together, and fewer packets than ten may be sent.
    expect(lost()).to.be.within(1, 10);
    expect(await tries.find('key a')).to.equal(31);
  });

  it('applies one of 20 conditional changes if answers are lost', async () => {
    proxy.lose('answer', 'key a', 5);
    const changed = await race(20, () => tries.change('key a', 1, 2));
    expect(changed.filter((changes) => changes === 1)).to.have.length(1);
    expect(changed.filter((changes) => changes === 0)).to.have.length(19);
  });

  it('repeats all reads of a connection whose answers are lost', async () => {
    const lost = proxy.lose('answer', 'FROM tries', 2);
    const counts = await race(20, () => tries.find('key a'));
    expect(counts).to.deep.equal(Array(20).fill(1));
    expect(lost()).to.be.at.least(1);
  });

  it('applies each unit once if connections break', async () => {
    const counting = race(50, () => tries.count('key a'));
    proxy.cut();
    await counting;
    expect(await tries.find('key a')).to.equal(51);
  });

  for (const lost of ['request', 'answer'] satisfies LostMessage[])
    it(`applies a unit once if its ${lost} is lost in a crash`, async () => {
      const losses = proxy.lose(lost, 'key a');
      const counting = tries.count('key a');
      await until(() => losses() === 1);
      proxy.hold();
      await server().kill();
      await server().start();
      proxy.release();
      expect(await counting).to.equal(1);
      expect(await tries.find('key a')).to.equal(2);
    });

  /** Calls while the replica is stopped, ends the call's connection while its commit waits, and resumes the replica. */
  const callAheadOfReplica = async <T>(
    statement: string,
    repetition: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const replica = await startReplica(server());
    const listWaitingCommits = async (query: string) => {
      const { rows } = await server().run(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%${query}%'`,
      );
      return rows.map(({ pid }) => pid);
    };
    try {
      replica.signal('SIGSTOP');
      let isDone = false;
      const calling = call().finally(() => {
        isDone = true;
      });
      await until(async () => (await listWaitingCommits(statement)).length > 0);
      await server().run(`SELECT pg_terminate_backend(${(await listWaitingCommits(statement))[0]})`);
      await until(async () => isDone || (await listWaitingCommits(repetition)).length > 0);
      expect(isDone).to.equal(false);
      replica.signal('SIGCONT');
      return await calling;
    } finally {
      await replica.end();
      await server().run('ALTER SYSTEM RESET ALL');
      await server().run('SELECT pg_reload_conf()');
    }
  };

  it('reports a unit as committed only after the replica has it', async () => {
    expect(await callAheadOfReplica('UPDATE tries', 'fence', () => tries.count('key a'))).to.equal(1);
    expect(await tries.find('key a')).to.equal(2);
  });

  it('reports a session as replaced only after the replica has it', async () => {
    const sessions = makeSqlSessionStore(database);
    await sessions.add(SESSION, 20);
    const change = () => sessions.change(SESSION, next);
    expect(await callAheadOfReplica('SET epoch', 'SET doc = doc', change)).to.equal(true);
    expect(await sessions.find('user', 'one session')).to.deep.equal(next);
  });
});
