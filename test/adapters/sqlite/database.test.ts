import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase, openDatabaseInMemory } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import { CoreError } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const INSERT = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, ?, 0, 0)';
const insert = (key: string, count = 1) => ({ sql: INSERT, params: [key, count] });
const remove = (key: string) => ({ sql: 'DELETE FROM tries WHERE key = ?', params: [key] });

describe('The SQLite database', () => {
  const folder = useTempFolder();
  let database: EmbeddedDatabase;

  const keys = async () =>
    (await database.read.all('SELECT key FROM tries ORDER BY key', [])).map(({ key }) => key);

  beforeEach(() => {
    database = openDatabase({ folder: join(folder(), 'data') });
  });

  afterEach(() => database.close());

  it('creates its folder and file with access for their owner only', () => {
    expect(statSync(join(folder(), 'data')).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder(), 'data', 'gatehouse.db')).mode & 0o777).to.equal(0o600);
  });

  it('reads a write as soon as it is acknowledged', async () => {
    await database.write([insert('a')]);
    expect(await keys()).to.deep.equal(['a']);
    expect(await database.read.get('SELECT count FROM tries WHERE key = ?', ['b'])).to.equal(undefined);
  });

  it('writes atomic units at start without a thread, and then only reads on that connection', async () => {
    expect(await database.writeAtStart([insert('a')])).to.deep.include({ done: true });
    expect(await keys()).to.deep.equal(['a']);
    expect(await database.writeAtStart([insert('b'), { ...remove('c'), need: true }])).to.deep.equal({
      done: false,
      because: 'need',
    });
    expect(await database.writeAtStart([insert('b'), insert('a')])).to.deep.equal({
      done: false,
      because: 'unique',
    });
    const wrong = [insert('b'), { sql: 'UPDATE tries SET nothing = 1', params: [] }];
    expect(await rejectionOf(() => database.writeAtStart(wrong))).to.have.property(
      'message',
      'A write to the store is wrong: SQLITE_ERROR.',
    );
    expect(await keys()).to.deep.equal(['a']);
    expect(database.counts()).to.deep.equal({ commits: 0, units: 0 });
    expect(await rejectionOf(() => database.read.all('DELETE FROM tries RETURNING key', []))).to.be.an(
      'error',
    );
    await database.write([insert('b')]);
    expect(await keys()).to.deep.equal(['a', 'b']);
    await database.close();
    expect(await rejectionOf(() => database.writeAtStart([insert('c')]))).to.be.instanceOf(CoreError);
  });

  it('returns the number of changed rows and the returned rows of each statement', async () => {
    const outcome = await database.write([
      insert('a', 5),
      insert('b', 6),
      { sql: 'UPDATE tries SET count = count + 1 RETURNING count', params: [] },
      remove('c'),
    ]);
    expect(outcome).to.deep.equal({
      done: true,
      results: [
        { changes: 1, rows: [] },
        { changes: 1, rows: [] },
        { changes: 2, rows: [{ count: 6 }, { count: 7 }] },
        { changes: 0, rows: [] },
      ],
    });
  });

  it('rolls back a unit if a needed statement changes nothing', async () => {
    const outcome = await database.write([insert('a'), { ...remove('b'), need: true }, insert('c')]);
    expect(outcome).to.deep.equal({ done: false, because: 'need' });
    expect(await keys()).to.deep.equal([]);
  });

  it('rolls back a unit that violates a unique key, and reports this without an error', async () => {
    await database.write([insert('a')]);
    expect(await database.write([insert('b'), insert('a')])).to.deep.equal({
      done: false,
      because: 'unique',
    });
    expect(await database.write([insert('a')])).to.deep.equal({ done: false, because: 'unique' });
    expect(await keys()).to.deep.equal(['a']);
  });

  it('commits the other units of a batch if some units fail', async () => {
    const wrong = [insert('x'), { sql: 'UPDATE tries SET nothing = 1', params: [] }];
    const [first, missed, duplicate, broken, last] = await Promise.allSettled([
      database.write([insert('a')]),
      database.write([insert('y'), { ...remove('z'), need: true }]),
      database.write([insert('a')]),
      database.write(wrong),
      database.write([insert('b')]),
    ]);
    expect(database.counts()).to.deep.equal({ commits: 1, units: 5 });
    for (const outcome of [first, last]) expect(outcome).to.have.nested.property('value.done', true);
    expect(missed).to.have.nested.property('value.because', 'need');
    expect(duplicate).to.have.nested.property('value.because', 'unique');
    expect(broken).to.have.nested.property('reason.message', 'A write to the store is wrong: SQLITE_ERROR.');
    expect(await keys()).to.deep.equal(['a', 'b']);
  });

  it('applies writes in the order of their calls', async () => {
    const sql = 'UPDATE tries SET count = ? WHERE key = ?';
    await Promise.all([
      database.write([insert('a', 0)]),
      ...[1, 2, 3].map((count) => database.write([{ sql, params: [count, 'a'] }])),
    ]);
    expect(await database.read.get('SELECT count FROM tries', [])).to.include({ count: 3 });
  });

  it('commits waiting writes together', async () => {
    const writes = Array.from({ length: 200 }, (_, place) => async () => {
      // The writes start in different turns, like those of requests.
      for (let turn = 0; turn < place % 7; turn += 1) await new Promise(setImmediate);
      return database.write([insert(`${place}`)]);
    });
    await Promise.all(writes.map((write) => write()));
    expect(await keys()).to.have.length(200);
    expect(database.counts().units).to.equal(200);
    expect(database.counts().commits).to.be.at.most(20);
  });

  it('refuses parameters that are not scalars', async () => {
    for (const value of JSON.parse('[{"$ne": ""}, ["a"], true]')) {
      expect(await rejectionOf(() => database.read.get('SELECT ?', [value]))).to.be.instanceOf(TypeError);
      expect(await rejectionOf(() => database.read.all('SELECT ?', [value]))).to.be.instanceOf(TypeError);
      expect(await rejectionOf(() => database.write([insert(value)]))).to.be.instanceOf(TypeError);
    }
    expect(await rejectionOf(() => database.read.get('SELECT ?', [Number.NaN]))).to.be.instanceOf(TypeError);
  });

  it('stores whole numbers as integers', async () => {
    const sql = 'SELECT typeof(?1) AS one, typeof(?2) AS two, ?1 AS value';
    const row = { one: 'integer', two: 'real', value: 1_780_000_000_000 };
    expect(await database.read.all(sql, [row.value, 0.5])).to.deep.equal([row]);
  });

  it('refuses to write in a read', async () => {
    expect(await rejectionOf(() => database.read.all('DELETE FROM tries', []))).to.be.instanceOf(CoreError);
  });

  it('finishes pending writes when it is closed, and allows repeated closes', async () => {
    const writes = Promise.all([1, 2, 3].map((key) => database.write([insert(`${key}`)])));
    await Promise.all([database.close(), database.close()]);
    expect((await writes).every(({ done }) => done)).to.equal(true);
    await database.close();
    database = openDatabase({ folder: join(folder(), 'data') });
    expect(await keys()).to.deep.equal(['1', '2', '3']);
  });

  it('leaves no write-ahead log when it is closed', async () => {
    await database.write([insert('a')]);
    await database.close();
    expect(
      statSync(join(folder(), 'data', 'gatehouse.db-wal'), { throwIfNoEntry: false })?.size ?? 0,
    ).to.equal(0);
  });

  for (const [place, open] of [
    ['in a file', () => database],
    ['in memory', openDatabaseInMemory],
  ] as const) {
    it(`${place} is unavailable after it was closed, once or twice`, async () => {
      const closed = open();
      await Promise.all([closed.close(), closed.close()]);
      for (const call of [
        () => closed.write([insert('a')]),
        () => closed.writeAtStart([insert('a')]),
        () => closed.read.get('SELECT 1', []),
        () => closed.read.all('SELECT 1', []),
      ]) {
        const error = await rejectionOf(call);
        expect(error).to.be.instanceOf(CoreError);
        expect(error).to.include({ kind: 'unavailable' });
      }
    });
  }
});
