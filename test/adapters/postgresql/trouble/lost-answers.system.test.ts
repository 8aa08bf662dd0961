import { expect } from 'chai';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { makeSqlSessionStore } from '../../../../adapters/sql/session-store.ts';
import { race } from '../../../contracts/race.ts';
import { sampleSession } from '../../../contracts/samples.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { startReplica } from '../../../support/servers/postgresql-replica.ts';
import { connectTo } from '../../../support/servers/postgresql-server.ts';
import { until } from '../../../support/until.ts';
import { databaseIn, postgresForTests } from '../opened.ts';
import { triesOf, usePostgres } from './database.ts';
import { type LosingProxy, type Lost, startLosingProxy } from './losing-proxy.ts';

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

  for (const lost of ['request', 'answer'] satisfies Lost[]) {
    it(`does each statement once, and says so, when its ${lost} is lost`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const key = `round ${round}.`;
        const inserted = proxy.lose(lost, key);
        expect(await tries.insert(key)).to.equal(1);
        const counted = proxy.lose(lost, key, 2);
        expect(await tries.count(key)).to.equal(1);
        const changed = proxy.lose(lost, key);
        expect(await tries.change(key, 2, 10)).to.equal(1);
        expect(await tries.change(key, 2, 10)).to.equal(0);
        expect([inserted(), counted(), changed()]).to.deep.equal([1, lost === 'request' ? 2 : 1, 1]);
        expect(await tries.find(key)).to.equal(10);
      }
    });

    it(`does each unit of several statements once, and says so, when the ${lost} of its commit is lost`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const key = `round ${round}.`;
        await tries.insert(key);
        const counted = proxy.lose(lost, 'COMMIT', 2);
        expect(await tries.countTwice(key)).to.deep.equal([1, 1]);
        const found = proxy.lose(lost, 'COMMIT');
        expect(await tries.countAndFind(key)).to.equal(4);
        expect([counted(), found()]).to.deep.equal([lost === 'request' ? 2 : 1, 1]);
        expect(await tries.find(key)).to.equal(4);
      }
    });
  }

  const SESSION = sampleSession('one session', { userId: 'user' });
  const next = { ...SESSION, refreshDigest: 'digest of one', lastUsedAt: SESSION.lastUsedAt + 1 };
  const other = { ...SESSION, refreshDigest: 'digest of another', lastUsedAt: SESSION.lastUsedAt + 2 };

  for (const lost of ['request', 'answer'] satisfies Lost[])
    it(`replaces a session once, and says so, when its ${lost} is lost twice`, async () => {
      const sessions = makeSqlSessionStore(database);
      await sessions.add(SESSION, 20);
      const wasLost = proxy.lose(lost, 'one session', 2);
      expect(await sessions.change(SESSION, next)).to.equal(true);
      expect(wasLost()).to.equal(2);
      expect(await sessions.change(SESSION, next)).to.equal(false);
      expect(await sessions.find('user', 'one session')).to.deep.equal(next);
    });

  for (const lost of ['request', 'answer'] satisfies Lost[])
    it(`does not take another's session for its own when its ${lost} is lost`, async () => {
      const [sessions, others] = [database, open(url)].map(makeSqlSessionStore);
      await sessions?.add(SESSION, 20);
      const wasLost = proxy.lose(lost, 'digest of one');
      proxy.hold();
      const changing = sessions?.change(SESSION, next);
      await others?.change(SESSION, other);
      proxy.release();
      expect(await changing).to.equal(false);
      expect(wasLost()).to.equal(1);
      expect(await sessions?.find('user', 'one session')).to.deep.equal(other);
    });

  it('does a unit once when its statements are lost', async () => {
    const lost = proxy.lose('answer', 'BEGIN', 3);
    expect(await tries.countTwice('key a')).to.deep.equal([1, 1]);
    expect([lost(), await tries.find('key a')]).to.deep.equal([3, 3]);
  });

  it('does a unit once when the answer to the question for it is lost too', async () => {
    const counted = proxy.lose('answer', 'count + 1');
    const done = tries.count('key a');
    await until(() => counted() === 1);
    const lost = proxy.lose('answer', 'SET fence', 2);
    expect(await done).to.equal(1);
    expect(lost()).to.be.at.most(2);
    expect(await tries.find('key a')).to.equal(2);
  });

  it('refuses a unit that was repeated meanwhile', async () => {
    const holder = await connectTo(url);
    await holder.query("BEGIN; UPDATE gatehouse.tries SET count = 10 WHERE key = 'key a'");
    const counting = tries.count('key a');
    await until(async () => (await listWaiting()).length === 1);
    proxy.cut();
    // The server has not noticed that its client is gone.
    await until(async () => (await listWaiting()).length === 2);
    await holder.query('COMMIT');
    await holder.end();
    expect(await counting).to.equal(1);
    await until(async () => (await listWaiting()).length === 0);
    expect(await tries.find('key a')).to.equal(11);
  });

  it('forgets numbers of units that nobody asks for any more', async () => {
    await server().run("UPDATE gatehouse.writers SET used_at = now() - interval '25 hours'", databaseIn(url));
    const others = triesOf(open(proxy.urlOf(url)));
    await others.count('key a');
    const { rows } = await server().run('SELECT 1 FROM gatehouse.writers', databaseIn(url));
    expect(rows).to.have.length(1);
  });

  it('counts each of many units side by side whose answers are lost', async () => {
    const lost = proxy.lose('answer', 'key a', 10);
    expect(await race(30, () => tries.count('key a'))).to.deep.equal(Array(30).fill(1));
    // Requests that share a packet share its fate, and fewer packets than ten may be sent.
    expect(lost()).to.be.within(1, 10);
    expect(await tries.find('key a')).to.equal(31);
  });

  it('lets one of many through, whichever answers are lost', async () => {
    proxy.lose('answer', 'key a', 5);
    const changed = await race(20, () => tries.change('key a', 1, 2));
    expect(changed.filter((changes) => changes === 1)).to.have.length(1);
    expect(changed.filter((changes) => changes === 0)).to.have.length(19);
  });

  it('repeats reads whose answers are lost, with those that shared their connection', async () => {
    const lost = proxy.lose('answer', 'FROM tries', 2);
    const counts = await race(20, () => tries.find('key a'));
    expect(counts).to.deep.equal(Array(20).fill(1));
    expect(lost()).to.be.at.least(1);
  });

  it('goes through connections that break', async () => {
    const counting = race(50, () => tries.count('key a'));
    proxy.cut();
    await counting;
    expect(await tries.find('key a')).to.equal(51);
  });

  for (const lost of ['request', 'answer'] satisfies Lost[])
    it(`does a unit once when its ${lost} is lost in a crash`, async () => {
      const wasLost = proxy.lose(lost, 'key a');
      const counting = tries.count('key a');
      await until(() => wasLost() === 1);
      proxy.hold();
      await server().kill();
      await server().start();
      proxy.release();
      expect(await counting).to.equal(1);
      expect(await tries.find('key a')).to.equal(2);
    });

  /** Calls while the replica has stopped, cuts the call's connection while its commit waits, and lets the replica go on. */
  const callAheadOfReplica = async <T>(
    statement: string,
    repetition: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const replica = await startReplica(server());
    const listHeld = async (query: string) => {
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
      await until(async () => (await listHeld(statement)).length > 0);
      await server().run(`SELECT pg_terminate_backend(${(await listHeld(statement))[0]})`);
      await until(async () => isDone || (await listHeld(repetition)).length > 0);
      expect(isDone).to.equal(false);
      replica.signal('SIGCONT');
      return await calling;
    } finally {
      await replica.end();
      await server().run('ALTER SYSTEM RESET ALL');
      await server().run('SELECT pg_reload_conf()');
    }
  };

  it('says that a unit is done once the replica has it for which a commit waits', async () => {
    expect(await callAheadOfReplica('UPDATE tries', 'fence', () => tries.count('key a'))).to.equal(1);
    expect(await tries.find('key a')).to.equal(2);
  });

  it('says that a session is replaced once the replica has it for which a commit waits', async () => {
    const sessions = makeSqlSessionStore(database);
    await sessions.add(SESSION, 20);
    const change = () => sessions.change(SESSION, next);
    expect(await callAheadOfReplica('SET epoch', 'SET doc = doc', change)).to.equal(true);
    expect(await sessions.find('user', 'one session')).to.deep.equal(next);
  });
});
