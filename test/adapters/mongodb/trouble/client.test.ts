import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { openMongo } from '../../../../adapters/mongodb/engine/client.ts';
import {
  changeOnce,
  type IdempotentDocument,
  insertOnce,
} from '../../../../adapters/mongodb/engine/idempotent-writes.ts';
import { missingIndexes } from '../../../../adapters/mongodb/engine/indexes.ts';
import { CoreError } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { mongoForTests } from '../opened.ts';

interface Thing extends IdempotentDocument {
  readonly _id: string;
  readonly count: number;
}

const INDEXES = { things: [{ name: 'by_count', keys: { count: 1 } }] } as const;

describe('A MongoDB database', () => {
  const mongo = mongoForTests();

  const failing = async (command: string, data: Record<string, unknown>, times = 1) => {
    const { database, close } = await mongo.open(INDEXES);
    const admin = database.client.db('admin');
    await admin.command({
      configureFailPoint: 'failCommand',
      mode: { times },
      data: { failCommands: [command], ...data },
    });
    return {
      database,
      things: database.collection<Thing>('things'),
      close: async () => {
        await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
        await close();
      },
    };
  };

  it('tells which indexes are missing', async () => {
    const { database, close } = await mongo.open(INDEXES);
    const indexes = { ...INDEXES, others: [{ name: 'by_name', keys: { name: 1 } as const }] };
    expect(await missingIndexes(database, indexes)).to.deep.equal(['others.by_name']);
    await close();
  });

  it('makes a call again that met a conflict, and has its effect once', async () => {
    const { database, things, close } = await failing('insert', { errorCode: 112 }, 2);
    expect(await insertOnce(database, things, { _id: 'a', count: 1 })).to.equal(true);
    expect(await things.countDocuments()).to.equal(1);
    await close();
  });

  it('knows its own effect where the answer was lost', async () => {
    const { database, close } = await mongo.open(INDEXES);
    const things = database.collection<Thing>('things');
    let answers = 0;
    const lossy = {
      call: <T>(work: (attempt: number, until: number) => Promise<T>) =>
        database.call(async (attempt, until) => {
          const answer = await work(attempt, until);
          answers += 1;
          if (attempt === 0) throw new MongoNetworkError('cut');
          return answer;
        }),
    };
    expect(await insertOnce(lossy, things, { _id: 'a', count: 1 })).to.equal(true);
    expect(answers).to.equal(2);
    await close();
  });

  it('does not take the effect of another for its own', async () => {
    const { database, things, close } = await failing('update', { errorCode: 189 });
    await insertOnce(database, things, { _id: 'a', count: 1 });
    await things.findOneAndUpdate({ _id: 'a' }, { $set: { count: 2 } });
    const filter = { _id: { $eq: 'a' }, count: { $eq: 1 } } as const;
    expect(await changeOnce(database, things, filter, { $set: { count: 3 } })).to.equal(false);
    expect((await things.findOne({ _id: 'a' }))?.count).to.equal(2);
    await close();
  });

  it('gives up what keeps failing, as an outage', async () => {
    const { database, things, close } = await failing('insert', { errorCode: 112 }, 100);
    const error = await rejectionOf(() => insertOnce(database, things, { _id: 'a', count: 1 }));
    expect(error).to.be.instanceOf(CoreError).with.property('code', 'store_unavailable');
    await close();
  });

  it('gives up what takes longer than its deadline', async () => {
    const { close } = await failing('insert', { blockConnection: true, blockTimeMS: 15_000 });
    const database = await openMongo({ url: mongo.url('gatehouse-test-deadline') });
    const things = database.collection<Thing>('things');
    const began = performance.now();
    const error = await rejectionOf(() => insertOnce(database, things, { _id: 'a', count: 1 }));
    expect(error).to.be.instanceOf(CoreError).with.property('code', 'store_unavailable');
    // Far from what a busy machine makes of the 2.5 seconds, and from the answer.
    expect(performance.now() - began).to.be.lessThan(12_000);
    await database.close();
    await close();
  });

  it('says with the driver why a server cannot be reached', async () => {
    const error = await rejectionOf(() =>
      openMongo({ url: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200' }),
    );
    expect(error).to.have.property('name', 'MongoServerSelectionError');
  });
});
