import { expect } from 'chai';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { findMongoStore, migrateMongoStore } from '../../../adapters/mongodb/open-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { mongoForTests } from './mongo-for-tests.ts';

const UNAUTHORIZED = 13;
const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer: true };

describe('A MongoDB user without write access', () => {
  const mongo = mongoForTests();

  it('makes a start and `store migrate` report a wrong MONGODB_URL, on new and used databases', async () => {
    const url = mongo.url(`gatehouse-test-read-only-${process.pid}`);
    const { client, close } = await openMongo({ url });
    const admin = client.db('admin');
    const refuseWrites = async (mode: string) => {
      const data = { failCommands: ['createIndexes', 'update', 'findAndModify'], errorCode: UNAUTHORIZED };
      await admin.command({ configureFailPoint: 'failCommand', mode, data });
    };
    const open = async () => {
      const store = await findMongoStore(url, parts);
      try {
        await store.open();
      } finally {
        await store.close();
      }
    };
    try {
      for (const state of ['new', 'in use']) {
        await refuseWrites('alwaysOn');
        for (const work of [open, () => migrateMongoStore(url)]) {
          const refusal = await rejectionOf(work);
          expect(refusal, state).to.have.property('name', 'ConfigError');
          expect(String(refusal), state).to.include('MONGODB_URL: the user may not write to the database');
        }
        await refuseWrites('off');
        await open();
      }
    } finally {
      await refuseWrites('off');
      await client.db(`gatehouse-test-read-only-${process.pid}`).dropDatabase();
      await close();
    }
  });
});
