import { expect } from 'chai';
import { type PostgresqlReplica, startReplica } from './postgresql-replica.ts';
import { canStartPostgresql, type PostgresqlServer, startPostgresql } from './postgresql-server.ts';
import { timed } from './timed.ts';

describe('A replica of a test', () => {
  let primary: PostgresqlServer;
  let replica: PostgresqlReplica | undefined;

  beforeEach(async function () {
    if (!canStartPostgresql()) return this.skip();
    primary = await startPostgresql();
    await primary.run('CREATE TABLE notes (id bigint PRIMARY KEY)');
  });

  afterEach(async () => {
    await replica?.end();
    replica = undefined;
    await primary?.end();
  });

  it('follows its primary, and takes its place', async () => {
    replica = await timed('A replica started', () => startReplica(primary, { synchronous: false }));
    await primary.run('INSERT INTO notes SELECT generate_series(1, 1000)');
    await replica.catchUp();
    const count = async () => Number((await replica?.run('SELECT count(*) FROM notes'))?.rows[0].count);
    expect(await count()).to.equal(1_000);
    expect(await replica.run('DELETE FROM notes').catch(({ code }) => code)).to.equal('25006');
    await primary.kill();
    await timed('A replica promoted', async () => replica?.promote());
    await replica.run('INSERT INTO notes VALUES (0)');
    expect(await count()).to.equal(1_001);
  });

  it('has what was committed when each commit waits for it', async () => {
    replica = await startReplica(primary, { synchronous: true });
    await primary.run('INSERT INTO notes SELECT generate_series(1, 1000)');
    await primary.kill();
    await replica.promote();
    const { rows } = await replica.run('SELECT count(*) FROM notes');
    expect(rows[0].count).to.equal('1000');
    await replica.run('INSERT INTO notes VALUES (0)');
  });
});
