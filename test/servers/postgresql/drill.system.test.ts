import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type PostgresqlServer, startPostgresql } from '../../support/servers/postgresql-server.ts';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const roles = /^ {2}```sql\n(.*?)^ {2}```$/ms.exec(guide)?.[1] ?? '';
const drill = /^```sh\n(admin=.*?)^```$/ms.exec(guide)?.[1] ?? '';
const SERVICES = 'gatehouse:change-this-password-too';

const run = promisify(execFile);

describe('The PostgreSQL drill of the deployment guide', () => {
  const folder = useTempFolder('suite');
  let server: PostgresqlServer | undefined;

  before(async function () {
    if (spawnSync('pg_dump', ['--version']).status !== 0) {
      console.log('Left out: the drill. It needs pg_dump and psql on the PATH.');
      return this.skip();
    }
    // Client programs of a newer version also work with this server.
    server = await startPostgresql({ version: 15 });
    await server.createDatabase('gatehouse');
  });
  after(() => server?.end());

  it('restores a backup beside a running installation, with working commands', async () => {
    if (server === undefined) throw new Error('The server was not started.');
    await server.run(roles, 'gatehouse');
    const admin = server.url('').replace(/\/$/, '');
    const services = admin.replace('postgres@', `${SERVICES}@`);
    const owner = admin.replace('postgres@', 'gatehouse_owner:change-this-password@');
    const dataDir = join(folder(), 'data');
    const gatehouse = `${process.execPath} ${join(root, 'cli/gatehouse.mjs')}`;
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const setup = `
      mkdir -p ${dataDir}/keys
      ${gatehouse} keys init --kind hash ${dataDir}/keys/hash-key
      for kind in signing master; do ${gatehouse} keys init --kind $kind ${dataDir}/keys/$kind.json; done
      POSTGRES_URL=${owner}/gatehouse ${gatehouse} store migrate`;
    await run('bash', ['-e', '-c', setup], { env });
    const service = await openTestService({ POSTGRES_URL: `${services}/gatehouse` }, dataDir);
    try {
      await service.signUp();
      const script = drill
        .replaceAll('postgres://postgres@db1.example.com', admin)
        .replaceAll('postgres://gatehouse:PASSWORD@db1.example.com', services)
        .replaceAll('/var/backups/gatehouse', folder())
        .replaceAll('sudo -u gatehouse ', '')
        .replaceAll(/(" )gatehouse /g, `$1${gatehouse} `);
      const { stdout } = await run('bash', ['-e', '-c', script], { env });
      expect(stdout)
        .to.match(/intact +true/)
        .and.to.match(/totalUsers +1\n/)
        .and.to.match(/DROP DATABASE/);
    } finally {
      await service.close();
    }
  });
});
