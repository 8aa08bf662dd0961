import { expect } from 'chai';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { findMongoStore, migrateMongoStore } from '../../../adapters/mongodb/open-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { mongoForTests } from './mongo-for-tests.ts';

const NAME = `gatehouse-test-older-${process.pid}`;

describe('A MongoDB database of an older version', () => {
  const mongo = mongoForTests();
  const open = async (isServer: boolean) => {
    const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer };
    const store = await findMongoStore(mongo.url(NAME), parts);
    try {
      await store.open();
    } finally {
      await store.close();
    }
  };

  it('is refused by commands and at a start, and stays unchanged until `store migrate`', async () => {
    await open(true);
    const { client, close } = await openMongo({ url: mongo.url(NAME) });
    const database = client.db(NAME);
    const indexNames = async () =>
      Object.keys(await database.collection('accounts').indexInformation()).sort();
    const version = async () =>
      (await database.collection('meta').findOne({ _id: 'schema' as never }))?.version;
    try {
      const complete = await indexNames();
      const [dropped = ''] = complete.filter((name) => name !== '_id_');
      await database.collection('accounts').dropIndex(dropped);
      // So far only version 1 exists; 0.5 stands for an older version.
      for (const number of [1, 0.5]) {
        await database
          .collection('meta')
          .updateOne({ _id: 'schema' as never }, { $set: { version: number } });
        const refusals = [await rejectionOf(() => open(false)), await rejectionOf(() => open(true))];
        expect(refusals.map((refusal) => Reflect.get(refusal as object, 'name'))).to.deep.equal([
          'StoreUnusable',
          'ConfigError',
        ]);
        for (const refusal of refusals) expect(String(refusal)).to.include('run gatehouse store migrate');
        expect(await version()).to.equal(number);
        expect(await indexNames()).to.deep.equal(complete.filter((name) => name !== dropped));
      }
      expect(await migrateMongoStore(mongo.url(NAME))).to.deep.equal({ before: 0.5, now: 1 });
      expect(await indexNames()).to.deep.equal(complete);
      await open(false);
    } finally {
      await database.dropDatabase();
      await close();
    }
  });
});
