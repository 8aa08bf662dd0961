import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../../adapters/sqlite/engine/database-file.ts';
import { makeWriter } from '../../../../adapters/sqlite/engine/group-commit.ts';
import { StoreUnusable } from '../../../../adapters/store.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

const INSERT = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 1, 0, 0)';
const insert = (key: string) => [{ sql: INSERT, params: [key] }];

describe('The SQLite database under failures', () => {
  const folder = useTempFolder();
  const databases: EmbeddedDatabase[] = [];

  const open = (options: Partial<Parameters<typeof openDatabase>[0]> = {}) => {
    const database = openDatabase({ folder: folder(), ...options });
    databases.push(database);
    return database;
  };
  const count = async (database: EmbeddedDatabase) =>
    (await database.read.get('SELECT count(*) AS count FROM tries', []))?.count;

  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
  });

  it('refuses writes but serves reads while the disk is full, and recovers without a restart', async () => {
    const log = makeRecordingLog();
    const database = open({ log });
    const limit = (pages: number) =>
      database.write([{ sql: `PRAGMA max_page_count = ${pages}`, params: [] }]);
    await database.write(insert('before'));
    await limit(1);
    const big = 'x'.repeat(100_000);
    const outcomes = await Promise.allSettled([
      database.write(insert('in the same batch')),
      database.write([...insert('in the same unit'), ...insert(big)]),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).to.have.nested.property('reason.code', 'store_unavailable');
      expect(outcome).to.have.nested.property('reason.kind', 'unavailable');
    }
    expect(await rejectionOf(() => database.write(insert(big)))).to.include({ kind: 'unavailable' });
    expect(await database.read.all('SELECT key FROM tries', [])).to.deep.equal([{ key: 'before' }]);
    expect(log.lines).to.deep.include({
      level: 'warn',
      event: 'store.write_failed',
      fields: { reason: 'SQLITE_FULL', count: 2 },
    });
    await limit(1_000_000);
    expect(await database.write(insert(big))).to.include({ done: true });
    expect(await count(database)).to.equal(2);
    expect(await database.read.all('PRAGMA integrity_check', [])).to.deep.equal([{ integrity_check: 'ok' }]);
  });

  it('reports that it cannot write from the first failure until the disk has space again', async () => {
    const database = open();
    const limit = (pages: number) =>
      database.write([{ sql: `PRAGMA max_page_count = ${pages}`, params: [] }]);
    expect(await database.canWrite()).to.equal(true);
    await limit(1);
    await rejectionOf(() => database.write(insert('x'.repeat(100_000))));
    expect(await database.canWrite()).to.equal(false);
    await database.write([{ sql: 'DELETE FROM tries', params: [] }]);
    await database.write([{ sql: 'SELECT 1', params: [] }]);
    expect(await database.canWrite(), 'after a write that changed nothing').to.equal(false);
    await limit(1_000_000);
    expect(await database.canWrite()).to.equal(true);
    expect(await count(database), 'rows left by the probes').to.equal(0);
  });

  for (const [change, apply] of [
    ['moved', () => undefined],
    ['replaced', (file: string) => copyFileSync(`${file}.moved`, file)],
  ] as const)
    it(`refuses writes while its file is ${change}, also the first write`, async () => {
      const log = makeRecordingLog();
      const [first, second] = [open({ log }), open()];
      await first.write(insert('before'));
      const file = join(folder(), 'gatehouse.db');
      renameSync(file, `${file}.moved`);
      apply(file);
      for (const database of [first, second]) {
        const error = await rejectionOf(() => database.write(insert('lost')));
        expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
        expect([await database.canWrite(), await count(database)]).to.deep.equal([false, 1]);
      }
      expect(log.lines[0]).to.deep.equal({
        level: 'warn',
        event: 'store.write_failed',
        fields: { reason: 'SQLITE_READONLY_DBMOVED', count: 1 },
      });
      renameSync(`${file}.moved`, file);
      expect([await first.canWrite(), await second.canWrite()]).to.deep.equal([true, true]);
      await second.write(insert('after'));
      expect(await count(first)).to.equal(2);
    });

  it('rolls back a batch if the system fails a statement, and leaves no transaction open', async () => {
    const database = open();
    const failing = [{ sql: 'ATTACH ? AS other', params: [join(folder(), 'missing', 'file')] }];
    const [first, second] = await Promise.allSettled([database.write(insert('a')), database.write(failing)]);
    for (const outcome of [first, second])
      expect(outcome).to.have.nested.property('reason.code', 'store_unavailable');
    expect(await count(database)).to.equal(0);
    expect(await database.write(insert('a'))).to.include({ done: true });
  });

  it('waits for the lock of another connection, and reads meanwhile', async () => {
    const database = open();
    await database.write(insert('before'));
    const locker = new Libsql(join(folder(), 'gatehouse.db'));
    locker.exec('BEGIN IMMEDIATE');
    let isDone = false;
    const writing = database.write(insert('after')).then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 200; turn += 1) {
      await new Promise(setImmediate);
      expect(await count(database)).to.equal(1);
    }
    expect(isDone).to.equal(false);
    locker.exec('COMMIT');
    locker.close();
    await writing;
    expect(await count(database)).to.equal(2);
  });

  it('times out after five seconds of waiting for a lock, and works after its release', async () => {
    const database = open();
    const locker = new Libsql(join(folder(), 'gatehouse.db'));
    locker.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    expect(await rejectionOf(() => database.write(insert('a')))).to.include({ code: 'store_unavailable' });
    expect(performance.now() - startedAt).to.be.within(4_900, 30_000);
    locker.exec('COMMIT');
    locker.close();
    expect(await database.write(insert('a'))).to.include({ done: true });
  });

  it('is unavailable if its writer thread cannot start, and starts it again for the next write', async () => {
    const events: string[] = [];
    const home = join(folder(), 'home');
    const writer = makeWriter({ file: join(home, 'gatehouse.db'), durable: true }, (event) => {
      events.push(event);
    });
    const create = () => writer.write([{ sql: 'CREATE TABLE created (id)', params: [] }]);
    expect(await rejectionOf(create)).to.include({ code: 'store_unavailable' });
    expect(events).to.include('writer_crashed');
    mkdirSync(home);
    expect(await create()).to.include({ done: true });
    await writer.close();
  });

  it('cannot be opened if a newer version wrote it', async () => {
    await open().close();
    const locker = new Libsql(join(folder(), 'gatehouse.db'));
    locker.exec('PRAGMA user_version = 999');
    locker.close();
    expect(() => open()).to.throw(StoreUnusable, 'newer version (schema 999');
  });

  it('cannot be opened if its file is not a database', () => {
    writeFileSync(join(folder(), 'gatehouse.db'), 'something else entirely '.repeat(100));
    expect(() => open()).to.throw(
      StoreUnusable,
      'is damaged or no database (SQLITE_NOTADB): restore a backup',
    );
  });

  it('cannot be opened if its log or its locks do not work', () => {
    mkdirSync(join(folder(), 'gatehouse.db-shm'));
    expect(() => open()).to.throw(StoreUnusable, /^The store cannot be used: [^\n]+\.$/);
  });

  it('cannot be opened if its folder is a file', () => {
    writeFileSync(join(folder(), 'file'), '');
    expect(() => open({ folder: join(folder(), 'file') })).to.throw(StoreUnusable, 'EEXIST');
  });
});
