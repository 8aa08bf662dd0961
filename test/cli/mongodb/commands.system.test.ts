import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { mongoForTests } from '../../adapters/mongodb/mongo-for-tests.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { documentsOf, runCommand } from '../run-command.ts';

describe('The gatehouse command on MongoDB', () => {
  const mongo = mongoForTests();
  const folder = useTempFolder();
  const run = (url: string, ...args: readonly string[]) =>
    runCommand(folder(), [...args, '--json'], { env: { MONGODB_URL: url } });

  const makeKeys = async () => {
    const keys = join(folder(), 'data/keys');
    mkdirSync(keys, { recursive: true, mode: 0o700 });
    const files = { hash: 'hash-key', signing: 'signing.json', master: 'master.json' };
    for (const [kind, file] of Object.entries(files)) {
      await runCommand(folder(), ['keys', 'init', '--kind', kind, join(keys, file)]);
    }
  };

  it('prepares an empty database with store migrate, and then works on it', async () => {
    const { database, close } = await mongo.open({});
    const url = mongo.url(database.collection('any').dbName);
    const migration = await run(url, 'store', 'migrate');
    expect(migration.status, migration.stderr).to.equal(0);
    expect(documentsOf(migration)).to.deep.equal([{ before: 0, now: 1 }]);
    await makeKeys();
    const stats = await run(url, 'stats');
    expect(stats.status, stats.stderr).to.equal(0);
    expect(documentsOf(stats)[0]).to.include({ totalUsers: 0 });
    await close();
  });

  it('exits with 78 if there is no store, and creates no collection', async () => {
    await makeKeys();
    const { database, close } = await mongo.open({});
    const { status, stderr } = await run(mongo.url(database.collection('any').dbName), 'stats');
    expect(status, stderr).to.equal(78);
    expect(stderr)
      .to.include('MONGODB_URL')
      .and.to.match(/^\{"error":\{"code":"no_store","message":"There is no store/);
    expect(
      await database.client.db(database.collection('any').dbName).listCollections().toArray(),
    ).to.deep.equal([]);
    await close();
  });

  it('exits with 75 if no server answers', async () => {
    const { status, stderr } = await run('mongodb://127.0.0.1:9/gatehouse', 'store', 'migrate');
    const message = 'The store cannot be used: MONGODB_URL: no server answers there (ECONNREFUSED).';
    expect([status, stderr]).to.deep.equal([
      75,
      `${JSON.stringify({ error: { code: 'store_unusable', message } })}\n`,
    ]);
  });
});
