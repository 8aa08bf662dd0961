import { expect } from 'chai';
import { findPostgresStore } from '../../../../adapters/postgresql/open-store.ts';
import { StoreUnusable } from '../../../../adapters/store.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { figure } from '../../../support/runner/figures.ts';
import { type PostgresqlReplica, startReplica } from '../../../support/servers/postgresql-replica.ts';
import { type PostgresqlServer, startPostgresql } from '../../../support/servers/postgresql-server.ts';
import { PATIENCE_MS, triesOf, UNAVAILABLE, usePostgres } from './database.ts';
import { startLoad } from './load.ts';

const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer: true };

describe('A PostgreSQL server with a replica', () => {
  const { create, open } = usePostgres();
  let primary: PostgresqlServer;
  let replica: PostgresqlReplica;

  beforeEach(async () => {
    primary = await startPostgresql({ durable: true });
    await primary.createDatabase('store');
    replica = await startReplica(primary);
  });

  afterEach(async () => {
    await replica?.end();
    await primary?.end();
  });

  const urlOf = (...servers: readonly PostgresqlServer[]) =>
    `postgresql://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/store`;

  it('fails over to the replica without losing an acknowledged write', async () => {
    const database = await create(primary.url('store'), urlOf(primary, replica), 2_500);
    const load = await startLoad(database, 16);
    await load.progress(200);
    await primary.kill();
    const killedAt = performance.now();
    await replica.promote();
    const promotedAt = performance.now();
    await load.progress(1);
    const resumedAt = performance.now();
    await load.progress(200);
    const { acknowledged, refusals } = await load.end();
    expect(await load.problems()).to.deep.equal([]);
    for (const refusal of refusals) expect(refusal).to.include(UNAVAILABLE);
    figure(
      `fail-over: promoted after ${(promotedAt - killedAt).toFixed(0)} ms, writes ${(resumedAt - promotedAt).toFixed(0)} ms later, ${acknowledged} acknowledged, ${refusals.length} unavailable`,
    );
  });

  it('is found after a standby or a stopped server in the URL', async () => {
    await create(primary.url('store'));
    await replica.catchUp();
    const store = await findPostgresStore(urlOf(replica, primary), parts);
    expect(store.isThere).to.equal(true);
    await (await store.open()).ports.leases.take('a lease', 'holder', 1_000);
    await store.close();
    const tries = triesOf(open(urlOf(replica, primary), PATIENCE_MS));
    expect(await tries.insert('a')).to.equal(1);
    expect(await tries.find('a')).to.equal(1);
    await primary.kill();
    await replica.promote();
    const later = triesOf(open(urlOf(primary, replica), PATIENCE_MS));
    expect(await later.count('a')).to.equal(1);
    expect(await tries.find('a')).to.equal(2);
  });

  it('applies a unit once whose commit waits for the replica during the fail-over', async () => {
    const database = await create(primary.url('store'), urlOf(primary, replica), 20_000);
    const tries = triesOf(database);
    await tries.insert('a');
    replica.signal('SIGSTOP');
    const counting = tries.count('a');
    for (let isWaiting = false; !isWaiting; ) {
      const { rows } = await primary.run("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      isWaiting = rows.length > 0;
    }
    await primary.kill();
    replica.signal('SIGCONT');
    await replica.promote();
    expect(await counting).to.equal(1);
    expect(await tries.find('a')).to.equal(2);
  });

  it('is refused at a start while it accepts no writes', async () => {
    await replica.catchUp();
    const error = await rejectionOf(() => findPostgresStore(urlOf(replica), parts));
    expect(error).to.be.instanceOf(StoreUnusable);
    expect(String(error)).to.match(/POSTGRES_URL: no server that takes writes/);
    await primary.run('ALTER DATABASE store SET default_transaction_read_only TO on');
    expect(await rejectionOf(() => findPostgresStore(urlOf(primary), parts))).to.be.instanceOf(StoreUnusable);
  });
});
