import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { openPostgres } from '../../../adapters/postgresql/engine/database.ts';
import { findPostgresStore } from '../../../adapters/postgresql/open-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { type PostgresqlServer, startPostgresql } from '../../support/servers/postgresql-server.ts';
import { makeCertificate } from '../../support/servers/self-signed.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const PASSWORD = 'a-secret-word';
const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer: true };

describe('A PostgreSQL server that requires passwords and TLS', () => {
  let server: PostgresqlServer | undefined;
  const folder = useTempFolder('suite');
  let url = '';

  before(async () => {
    server = await startPostgresql();
    const { cert, key } = makeCertificate(folder(), 'server');
    makeCertificate(folder(), 'other');
    const { uid, gid } = statSync(server.folder);
    for (const [file, name] of [
      [cert, 'server.crt'],
      [key, 'server.key'],
    ] as const) {
      const path = join(server.folder, name);
      writeFileSync(path, readFileSync(file));
      chmodSync(path, 0o600);
      chownSync(path, uid, gid);
    }
    await server.createDatabase('store');
    await server.run(
      `CREATE ROLE gatehouse LOGIN PASSWORD '${PASSWORD}'; GRANT ALL ON DATABASE store TO gatehouse`,
    );
    const rules = [
      'hostssl all gatehouse 127.0.0.1/32 scram-sha-256',
      'hostnossl all gatehouse 127.0.0.1/32 reject',
      'host all other 127.0.0.1/32 scram-sha-256',
    ];
    const rulesFile = join(server.folder, 'pg_hba.conf');
    writeFileSync(rulesFile, `${rules.join('\n')}\n${readFileSync(rulesFile, 'utf8')}`);
    await server.run('ALTER SYSTEM SET ssl TO on');
    await server.run('SELECT pg_reload_conf()');
    url = `postgres://gatehouse:${PASSWORD}@127.0.0.1:${server.port}/store`;
  });

  after(() => server?.end());

  const certificate = (name: string) => `sslmode=verify-full&sslrootcert=${join(folder(), `${name}.pem`)}`;

  it('can be used with its certificate', async () => {
    const store = await findPostgresStore(`${url}?${certificate('server')}`, parts);
    const { isUp } = await store.open();
    expect(await isUp()).to.equal(true);
    await store.close();
  });

  it('cannot be used with a wrong or missing certificate or password, or without TLS', async () => {
    const wrongPassword = url.replace(PASSWORD, `${PASSWORD}-wrong`);
    for (const [wrongUrl, reason] of [
      [`${url}?${certificate('other')}`, /no TLS connection/],
      [`${url}?sslmode=verify-full`, /no TLS connection/],
      [`${wrongPassword}?${certificate('server')}`, /refuses the user or the password/],
      [`${url.replace(`:${PASSWORD}`, '')}?${certificate('server')}`, /asks for a password/],
      [url, /asks for TLS/],
    ] as const) {
      const error = await rejectionOf(() => findPostgresStore(wrongUrl, parts));
      expect(error).to.be.instanceOf(ConfigError);
      const text = error instanceof ConfigError ? error.lines.join(' ') : '';
      expect(text)
        .to.match(/^POSTGRES_URL: /)
        .and.to.match(reason);
      expect(text).not.to.include(PASSWORD);
    }
  });

  it('is found after an unreachable host, with special characters in the password', async () => {
    await server?.run("CREATE ROLE other LOGIN PASSWORD 'a@b:c'; GRANT ALL ON DATABASE store TO other");
    const hosts = `127.0.0.1:1,127.0.0.1:${server?.port}`;
    const database = openPostgres({ url: `postgres://other:a@b:c@${hosts}/store` });
    expect(await database.read.get('SELECT current_user AS name', [])).to.deep.equal({ name: 'other' });
    await database.close();
  });

  it('is unavailable while the role has another password', async () => {
    const database = openPostgres({ url: `${url}?${certificate('server')}` });
    const read = () => database.read.get('SELECT 1 AS one', []);
    expect(await read()).to.deep.equal({ one: 1 });
    await server?.run("ALTER ROLE gatehouse PASSWORD 'another'");
    await server?.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gatehouse'");
    expect(await rejectionOf(read)).to.include({ kind: 'unavailable', code: 'store_unavailable' });
    await server?.run(`ALTER ROLE gatehouse PASSWORD '${PASSWORD}'`);
    expect(await read()).to.deep.equal({ one: 1 });
    await database.close();
  });
});
