import { expect } from 'chai';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { findMongoStore, migrateMongoStore } from '../../../adapters/mongodb/open-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { mongoForTests } from './opened.ts';

const MAY_NOT = 13;
const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), upgrades: true };

describe('A MongoDB user who may only read', () => {
  const mongo = mongoForTests();

  it('is the setting that is wrong, at a start and for store migrate, on a new database and on one in use', async () => {
    const url = mongo.url(`gatehouse-test-read-only-${process.pid}`);
    const { client, close } = await openMongo({ url });
    const admin = client.db('admin');
    const refusing = async (mode: string) => {
      const data = { failCommands: ['createIndexes', 'update', 'findAndModify'], errorCode: MAY_NOT };
      await admin.command({ configureFailPoint: 'failCommand', mode, data });
    };
    const open = async () => {
      const place = await findMongoStore(url, parts);
      try {
        await place.open();
      } finally {
        await place.close();
      }
    };
    try {
      for (const look of ['new', 'in use']) {
        await refusing('alwaysOn');
        for (const work of [open, () => migrateMongoStore(url)]) {
          const refusal = await rejectionOf(work);
          expect(refusal, look).to.have.property('name', 'ConfigError');
          expect(String(refusal), look).to.include('MONGODB_URL: the user may not write to the database');
        }
        await refusing('off');
        await open();
      }
    } finally {
      await refusing('off');
      await client.db(`gatehouse-test-read-only-${process.pid}`).dropDatabase();
      await close();
    }
  });
});
