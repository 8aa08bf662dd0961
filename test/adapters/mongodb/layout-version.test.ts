import { expect } from 'chai';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { upgradeLayout, watchLayout } from '../../../adapters/mongodb/layout-version.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { canStartMongo, startMongo } from '../../support/servers/mongo-server.ts';
import { until } from '../../support/until.ts';
import { mongoForTests } from './mongo-for-tests.ts';

const INDEXES = { things: [{ name: 'by_count', keys: { count: 1 } }] } as const;

describe('A MongoDB database that is dropped under a running server', () => {
  const mongo = mongoForTests();

  it('refuses calls until its layout and indexes are restored, and logs both changes', async () => {
    const { database, close } = await mongo.open({});
    await upgradeLayout(database, INDEXES);
    const log = makeRecordingLog();
    let calls = 0;
    const call: typeof database.call = (work) => {
      calls += 1;
      return database.call(work);
    };
    const watched = watchLayout({ ...database, call }, INDEXES, { log, every: 5 });
    const things = watched.collection('things');
    const add = () => watched.call(() => things.insertOne({}));
    try {
      await add();
      expect(await watched.isUp()).to.equal(true);

      await database.collection('meta').deleteMany({});
      await things.drop();
      await until(async () => !(await watched.isUp()));
      expect(await rejectionOf(add)).to.have.property('code', 'store_unavailable');
      expect(await things.countDocuments()).to.equal(0);

      // A restore inserts documents before it builds indexes.
      await database.collection<{ _id: string }>('meta').insertOne({ _id: 'schema', version: 1 } as never);
      const callsBefore = calls;
      await until(async () => calls > callsBefore + 4);
      expect(await watched.isUp()).to.equal(false);
      await upgradeLayout(database, INDEXES);
      await until(watched.isUp);
      await add();
      expect(log.lines.map(({ level, event }) => [level, event])).to.deep.equal([
        ['error', 'store.emptied'],
        ['warn', 'store.restored'],
      ]);
    } finally {
      await watched.close();
      await close();
    }
  });
});

describe('A MongoDB database that can be read but not written', () => {
  // A fail point affects the whole server, so this test starts its own.
  it('is reported as down until it accepts writes again', async function () {
    if (!canStartMongo()) return this.skip();
    const server = await startMongo();
    const database = await openMongo({ url: server.url('half'), deadline: 500 });
    await upgradeLayout(database, INDEXES);
    const watched = watchLayout(database, INDEXES, { log: makeRecordingLog() });
    const failWrites = (mode: string) =>
      database.client.db('admin').command({
        configureFailPoint: 'failCommand',
        mode,
        // WriteConcernFailed: no majority confirmed the write in time.
        data: { failCommands: ['insert', 'update', 'delete'], errorCode: 64 },
      });
    try {
      expect(await watched.isUp()).to.equal(true);
      await failWrites('alwaysOn');
      expect(await watched.isUp()).to.equal(false);
      await failWrites('off');
      await until(watched.isUp);
    } finally {
      await watched.close();
      await database.close();
      await server.end();
    }
  });
});
