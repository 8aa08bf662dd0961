import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { findPostgresStore, migratePostgresStore } from '../../../adapters/postgresql/open-store.ts';
import { NEWEST, UPGRADE_LOCK } from '../../../adapters/postgresql/schema-version.ts';
import { type StoreParts, StoreUnusable } from '../../../adapters/store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { sampleAccount } from '../../contracts/samples.ts';
import { freePort } from '../../support/free-port.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { root } from '../../support/tree/root.ts';
import { until } from '../../support/until.ts';
import { databaseIn, postgresForTests } from './postgres-for-tests.ts';

const SECRET = 'a-secret-word';
const OWNER = ['gatehouse_owner', 'change-this-password'] as const;
const SERVICE = ['gatehouse', 'change-this-password-too'] as const;

/** The statements for a superuser in `docs/deploying.md`. */
const documentedRoles = (): string => {
  const text = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
  return /^ {2}```sql\n(.*?)^ {2}```$/ms.exec(text)?.[1] ?? '';
};

const partsOf = (overrides: Partial<StoreParts> = {}): StoreParts => ({
  clock: { now: () => Date.now() },
  log: makeRecordingLog(),
  isServer: true,
  ...overrides,
});

/** Opens the store, uses it, and closes it. */
const startOn = async (url: string, parts = partsOf()) => {
  const store = await findPostgresStore(url, parts);
  try {
    const { ports, isUp, takeStartLease } = await store.open();
    expect([await isUp(), await takeStartLease()]).to.deep.equal([true, true]);
    return await ports.accounts.add(sampleAccount('a'));
  } finally {
    await store.close();
  }
};

/** The class and the text of the error of a start. The text must not contain the password of the URL. */
const refusalOf = async (start: () => Promise<unknown>) => {
  const error = await rejectionOf(start);
  expect(error).to.be.instanceOf(Error);
  const text = `${String(error)} ${error instanceof ConfigError ? error.lines.join(' ') : ''}`;
  expect(text).not.to.include(SECRET);
  return { isSetting: error instanceof ConfigError, isUnusable: error instanceof StoreUnusable, text };
};

describe('A start on PostgreSQL', () => {
  const { server, createDatabase } = postgresForTests();

  const asUser = (url: string, [user, password]: readonly [string, string]) =>
    url.replace('postgres@', `${user}:${password}@`);

  it('creates the schema once if two processes start at the same time', async () => {
    const url = await createDatabase();
    const added = await Promise.all([startOn(url), startOn(url)]);
    expect(added.filter(Boolean)).to.have.length(1);
    expect(await migratePostgresStore(url)).to.deep.equal({ before: NEWEST, now: NEWEST });
  });

  describe('with the roles of `docs/deploying.md`', () => {
    let url = '';
    before(async () => {
      url = await createDatabase();
      await server().run(documentedRoles(), databaseIn(url));
    });

    it('is refused for the services before the owner has created the schema', async () => {
      const { isSetting, text } = await refusalOf(() => startOn(asUser(url, SERVICE)));
      expect(isSetting, text).to.equal(true);
      expect(text).to.match(/POSTGRES_URL: .*store migrate/);
    });

    it('succeeds for the services after the owner has created the schema', async () => {
      expect(await migratePostgresStore(asUser(url, OWNER))).to.deep.equal({ before: 0, now: NEWEST });
      expect(await startOn(asUser(url, SERVICE))).to.equal(true);
    });

    it('is refused for users without all rights on the schema and its tables', async () => {
      await server().run('CREATE ROLE stranger LOGIN', databaseIn(url));
      const asStranger = asUser(url, ['stranger', SECRET]);
      const steps = [
        ['', /may not read/],
        ['GRANT USAGE ON SCHEMA gatehouse TO stranger', /may not read/],
        ['GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA gatehouse TO stranger', /may not write/],
        ['GRANT DELETE ON gatehouse.accounts TO stranger', /may not write/],
        [
          'GRANT DELETE ON ALL TABLES IN SCHEMA gatehouse TO stranger; REVOKE INSERT ON gatehouse.recounts FROM stranger',
          /may not write/,
        ],
      ] as const;
      for (const [grant, reason] of steps) {
        await server().run(grant, databaseIn(url));
        const { isSetting, text } = await refusalOf(() => startOn(asStranger));
        expect(isSetting, text).to.equal(true);
        expect(text).to.match(reason).and.to.include('POSTGRES_URL');
      }
    });

    it('reports the store as down while its schema is missing, older or closed to the user', async () => {
      const store = await findPostgresStore(asUser(url, SERVICE), partsOf());
      try {
        const { ports, isUp } = await store.open();
        expect(await isUp()).to.equal(true);
        for (const change of [
          'REVOKE USAGE ON SCHEMA gatehouse FROM gatehouse',
          `GRANT USAGE ON SCHEMA gatehouse TO gatehouse;
            UPDATE gatehouse.schema_version SET version = 1; ALTER TABLE gatehouse.accounts DROP COLUMN doc`,
          'DROP SCHEMA gatehouse CASCADE',
        ]) {
          await server().run(change, databaseIn(url));
          expect(await isUp(), change).to.equal(false);
          expect(await rejectionOf(() => ports.accounts.find('a'))).to.include({ kind: 'unavailable' });
        }
      } finally {
        await store.close();
      }
    });
  });

  it('is refused on a database without UTF-8', async () => {
    await server().createDatabase('latin', "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const { isSetting, text } = await refusalOf(() => startOn(server().url('latin')));
    expect(isSetting, text).to.equal(true);
    expect(text).to.match(/POSTGRES_URL: .*LATIN1.*UTF8/);
  });

  it('is refused for a newer schema, and for an older one without permission to upgrade', async () => {
    const url = await createDatabase();
    await startOn(url);
    const setVersion = (version: number) =>
      server().run(`UPDATE gatehouse.schema_version SET version = ${version}`, databaseIn(url));
    await setVersion(NEWEST + 1);
    for (const start of [() => startOn(url), () => migratePostgresStore(url)]) {
      const { isUnusable, text } = await refusalOf(start);
      expect(isUnusable, text).to.equal(true);
      expect(text).to.match(/newer version/);
    }
    if (NEWEST === 1) return;
    await setVersion(NEWEST - 1);
    const { isUnusable, text } = await refusalOf(() => startOn(url, partsOf({ isServer: false })));
    expect(isUnusable, text).to.equal(true);
    expect(text).to.match(/store migrate/);
  });

  it('waits for an upgrade by another process, past the time-outs of locks and statements', async () => {
    const url = await createDatabase();
    await server().run(`ALTER DATABASE ${databaseIn(url)} SET statement_timeout TO '1s'`);
    const upgrading = server().run(
      `SET statement_timeout TO 0; BEGIN; SELECT pg_advisory_xact_lock(${UPGRADE_LOCK}); SELECT pg_sleep(1.5); COMMIT`,
      databaseIn(url),
    );
    const isLocked = async () =>
      (await server().run("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).rows.length > 0;
    await until(isLocked);
    expect(await startOn(url)).to.equal(true);
    await upgrading;
  });

  it('fails with StoreUnusable if the schema has tables of another application', async () => {
    const url = await createDatabase();
    await server().run('CREATE SCHEMA gatehouse CREATE TABLE accounts (id bigint)', databaseIn(url));
    const { isUnusable, text } = await refusalOf(() => startOn(url));
    expect(isUnusable, text).to.equal(true);
    expect(text).to.match(/POSTGRES_URL: the schema cannot be upgraded \(42P07\)/);
  });

  it('is refused for an unknown database or an invalid URL, without quoting the password', async () => {
    const url = asUser(await createDatabase(), ['postgres', SECRET]);
    for (const wrongUrl of [
      url.replace(/\/gatehouse_\d+$/, '/unknown'),
      url.replace(/:\d+\//, ':none/'),
      `${url}?sslmode=verify-full`,
      `${url}?sslmode=verify-full&sslrootcert=/none/there.pem`,
    ]) {
      const { isSetting, text } = await refusalOf(() => startOn(wrongUrl));
      expect(isSetting, text).to.equal(true);
      expect(text).to.include('POSTGRES_URL');
    }
  });

  it('fails with StoreUnusable while the server is down', async () => {
    const unreachable = `127.0.0.1:${await freePort()}`;
    for (const url of [
      `postgres://gatehouse:${SECRET}@${unreachable}/gatehouse`,
      `postgres://gatehouse:${SECRET}@${unreachable},${unreachable}/gatehouse`,
      `postgres://gatehouse:${SECRET}@/gatehouse?host=/none/there`,
    ]) {
      const { isUnusable, text } = await refusalOf(() => startOn(url));
      expect(isUnusable, text).to.equal(true);
    }
  });
});
