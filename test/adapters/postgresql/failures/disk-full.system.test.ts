import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PostgresDatabase } from '../../../../adapters/postgresql/engine/database.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { type PostgresqlServer, startPostgresql } from '../../../support/servers/postgresql-server.ts';
import { until } from '../../../support/until.ts';
import { UNAVAILABLE, usePostgres } from './database.ts';

const MOUNT = 'size=24m';

describe('A PostgreSQL server with a full disk', () => {
  const { create } = usePostgres();
  let server: PostgresqlServer | undefined;
  let folder = '';
  let isMounted = false;
  let database: PostgresDatabase;

  before(async function () {
    server = await startPostgresql();
    const space = mkdtempSync(join(tmpdir(), 'gatehouse-space-'));
    folder = space;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', MOUNT, 'tmpfs', space], { stdio: 'ignore' });
    } catch {
      console.log('Left out: a full disk. It needs the right to mount.');
      return this.skip();
    }
    isMounted = true;
    const { uid, gid } = statSync(server.folder);
    chownSync(space, uid, gid);
    await server.run(`CREATE TABLESPACE small LOCATION '${space}'`);
    await server.createDatabase('store', 'TABLESPACE small');
    database = await create(server.url('store'));
  });

  after(async () => {
    await server?.end();
    if (isMounted) execFileSync('umount', [folder]);
    if (folder !== '') rmdirSync(folder);
  });

  const store = (path: string) =>
    database.write([
      {
        sql: "INSERT INTO objects (path, stored_at, bytes) VALUES (?, 0, decode(?, 'base64'))",
        params: [path, Buffer.alloc(1_000_000, path).toString('base64')],
      },
    ]);

  it('refuses writes, answers reads, and recovers when the disk has space again', async () => {
    let stored = 0;
    const fill = async () => {
      for (; ; stored += 1) await store(`path ${stored}`);
    };
    expect(await rejectionOf(fill)).to.include(UNAVAILABLE);
    const count = async () => (await database.read.get('SELECT count(*) AS count FROM objects', []))?.count;
    expect(await count()).to.equal(stored);
    expect(await rejectionOf(() => store('another'))).to.include(UNAVAILABLE);
    expect(await count()).to.equal(stored);
    execFileSync('mount', ['-o', 'remount,size=100m', folder]);
    await until(() => database.isUp());
    expect((await store('after')).done).to.equal(true);
  });
});
