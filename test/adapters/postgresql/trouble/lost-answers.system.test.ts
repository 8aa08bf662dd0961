import { expect } from 'chai';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { startReplica } from '../../../support/servers/postgresql-replica.ts';
import { type PostgresqlServer, startPostgresql } from '../../../support/servers/postgresql-server.ts';
import { until } from '../../../support/until.ts';
import { triesOf, UNAVAILABLE, usePostgres } from './database.ts';
import { type LosingProxy, type Lost, startLosingProxy } from './losing-proxy.ts';

const rounds = process.env.LONG === undefined ? ROUNDS * 5 : 500;

describe('A PostgreSQL server whose answers are lost', function () {
  this.timeout(120_000 + rounds * 1_000);
  const { create } = usePostgres();
  let server: PostgresqlServer;
  let proxy: LosingProxy;
  let database: PostgresDatabase;
  let tries: ReturnType<typeof triesOf>;
  let databases = 0;

  before(async () => {
    server = await startPostgresql({ durable: true, settings: { wal_writer_delay: '10s' } });
    proxy = await startLosingProxy(server.port);
  });

  after(async () => {
    await proxy?.close();
    await server?.end();
  });

  beforeEach(async () => {
    databases += 1;
    const name = `lost_${databases}`;
    await server.createDatabase(name);
    database = await create(server.url(name), proxy.url(name));
    tries = triesOf(database);
    await tries.insert('a');
  });

  for (const lost of ['request', 'answer'] satisfies Lost[])
    it(`does each unit once, and says so, when the ${lost} of its commit is lost`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const key = `round ${round}`;
        const inserted = proxy.lose(lost, 'COMMIT');
        expect(await tries.insert(key)).to.equal(1);
        const counted = proxy.lose(lost, 'COMMIT', 2);
        expect(await tries.count(key)).to.equal(1);
        const changed = proxy.lose(lost, 'COMMIT');
        expect(await tries.change(key, 2, 10)).to.equal(1);
        expect(await tries.change(key, 2, 10)).to.equal(0);
        expect([inserted(), counted(), changed()]).to.deep.equal([1, lost === 'request' ? 2 : 1, 1]);
        expect(await tries.find(key)).to.equal(10);
      }
    });

  it('does a unit once when its statements are lost', async () => {
    const lost = proxy.lose('answer', 'BEGIN', 3);
    expect(await tries.count('a')).to.equal(1);
    expect([lost(), await tries.find('a')]).to.deep.equal([3, 2]);
  });

  it('does a unit once when the answer about its transaction is lost too', async () => {
    const status = 'pg_xact_status';
    const committed = proxy.lose('answer', 'COMMIT');
    const done = tries.count('a');
    await until(() => committed() === 1);
    const lost = proxy.lose('answer', status);
    expect(await done).to.equal(1);
    expect(lost()).to.be.at.most(1);
    expect(await tries.find('a')).to.equal(2);
  });

  it('counts each of many units side by side whose answers are lost', async () => {
    const lost = proxy.lose('answer', 'COMMIT', 10);
    expect(await race(30, () => tries.count('a'))).to.deep.equal(Array(30).fill(1));
    expect(lost()).to.equal(10);
    expect(await tries.find('a')).to.equal(31);
  });

  it('lets one of many through, whichever answers are lost', async () => {
    proxy.lose('answer', 'COMMIT', 5);
    const changed = await race(20, () => tries.change('a', 1, 2));
    expect(changed.filter((changes) => changes === 1)).to.have.length(1);
    expect(changed.filter((changes) => changes === 0)).to.have.length(19);
  });

  it('repeats reads whose answers are lost, with those that shared their connection', async () => {
    const lost = proxy.lose('answer', 'FROM tries', 2);
    const counts = await race(20, () => tries.find('a'));
    expect(counts).to.deep.equal(Array(20).fill(1));
    expect(lost()).to.be.at.least(1);
  });

  it('goes through connections that break', async () => {
    const counting = race(50, () => tries.count('a'));
    proxy.cut();
    await counting;
    expect(await tries.find('a')).to.equal(51);
  });

  it('does not take the transaction of another for its own after a crash', async () => {
    const next = async () => Number((await server.run('SELECT pg_current_xact_id() AS id')).rows[0].id);
    const last = await next();
    const lost = proxy.lose('request', 'COMMIT');
    const counting = rejectionOf(() => tries.count('a'));
    await until(() => lost() === 1);
    proxy.hold();
    await server.kill();
    await server.start();
    expect(await next(), 'the number is given again').to.be.at.most(last + 1);
    while ((await next()) < last + 3);
    proxy.release();
    expect(await counting).to.include(UNAVAILABLE);
    expect(await tries.find('a')).to.equal(1);
  });

  it('says that a unit is done once the replica has it for which a commit waits', async () => {
    const replica = await startReplica(server, { synchronous: true });
    try {
      replica.signal('SIGSTOP');
      let isDone = false;
      const counting = tries.count('a').then((changes) => {
        isDone = true;
        return changes;
      });
      const isWaiting = async (query: string) => {
        const { rows } = await server.run(
          `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%${query}%'`,
        );
        return rows[0]?.pid;
      };
      await until(async () => (await isWaiting('COMMIT')) !== undefined);
      await server.run(`SELECT pg_terminate_backend(${await isWaiting('COMMIT')})`);
      await until(async () => isDone || (await isWaiting('pg_xact_status')) !== undefined);
      expect(isDone).to.equal(false);
      replica.signal('SIGCONT');
      expect(await counting).to.equal(1);
      expect(await tries.find('a')).to.equal(2);
    } finally {
      await replica.end();
      await server.run('ALTER SYSTEM RESET ALL');
      await server.run('SELECT pg_reload_conf()');
    }
  });
});
