import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { claimDatabase } from '../claim-database.ts';
import { useTempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { type DatabasePool, startDatabasePool } from './database-pool.ts';
import { canStartPostgresql, type PostgresqlServer, startPostgresql } from './postgresql-server.ts';

describe('A pool of databases for the tests of a run', () => {
  let server: PostgresqlServer | undefined;
  let pool: DatabasePool | undefined;
  const temporary = useTempFolder('suite');

  before(async function () {
    if (!canStartPostgresql()) return this.skip();
    server = await startPostgresql();
    pool = await startDatabasePool(server, temporary());
  });

  after(async () => {
    await pool?.end();
    await server?.end();
  });

  const exists = async (database: string) =>
    (await server?.run(`SELECT FROM pg_database WHERE datname = '${database}'`))?.rowCount === 1;

  it('gives each folder a database, which lasts as long as what the folder is made in', async () => {
    const made = join(temporary(), 'one');
    for (const folder of [made, join(temporary(), 'other')]) mkdirSync(folder);
    // Two are ready: the pool works in this process, which a claim would stop.
    await until(() => exists('test_3'));
    const claimed = ['one/later', 'other'].map((name) =>
      claimDatabase(pool?.folder ?? '', join(temporary(), name)),
    );
    expect(new Set(claimed).size).to.equal(2);
    expect(claimDatabase(pool?.folder ?? '', join(made, 'later'))).to.equal(claimed[0]);
    expect(await exists(claimed[0] ?? '')).to.equal(true);
    rmSync(made, { recursive: true });
    await until(async () => !(await exists(claimed[0] ?? '')));
  });
});
