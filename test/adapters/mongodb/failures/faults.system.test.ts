import { expect } from 'chai';
import { type Collection, type Filter, type FindOptions, ObjectId } from 'mongodb';
import { type MongoDatabase, openMongo } from '../../../../adapters/mongodb/engine/client.ts';
import {
  changeOnce,
  type IdempotentDocument,
  insertOnce,
  replaceOnce,
} from '../../../../adapters/mongodb/engine/idempotent-writes.ts';
import { race } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { ROUNDS } from '../../../support/rounds.ts';
import { type MongoProxy, startMongoProxy } from '../../../support/servers/mongo-proxy.ts';
import { canStartMongo, type MongoServer, startMongo } from '../../../support/servers/mongo-server.ts';
import { until } from '../../../support/until.ts';
import { PATIENCE_MS, withLongTimeouts } from '../mongo-for-tests.ts';

interface Thing extends IdempotentDocument {
  readonly _id: string;
  readonly count: number;
}

const rounds = process.env.LONG === undefined ? ROUNDS : 200;
const SHORT_DEADLINE_MS = 1_000;
const WRITES = ['insert', 'update'];
const isWrite = (command: string) => WRITES.includes(command);
const byId = (id: string) => ({ _id: { $eq: id } }) as const;

describe('A MongoDB database behind a failing connection', function () {
  this.timeout(300_000 + rounds * 1_000);
  let server: MongoServer;
  let proxy: MongoProxy;
  let database: MongoDatabase;
  /** The same database with a short deadline. */
  let hasty: MongoDatabase;
  let things: Collection<Thing>;

  before(async function () {
    if (!canStartMongo()) this.skip();
    server = await startMongo();
    proxy = await startMongoProxy(server.port);
    database = await openMongo({ url: withLongTimeouts(proxy.url('faults')), deadline: PATIENCE_MS });
  });

  after(async () => {
    await database?.close();
    await proxy?.close();
    await server?.end();
  });

  // A call may still take effect after its deadline, so tests share no collection and no client.
  let tests = 0;
  beforeEach(async () => {
    proxy.calm();
    tests += 1;
    things = database.collection(`things-${tests}`);
    hasty = await openMongo({ url: proxy.url('faults'), deadline: SHORT_DEADLINE_MS });
  });

  afterEach(() => hasty?.close());

  /** Inserts, changes and replaces a document; each write must take effect once. */
  const writeThrice = async (id: string) => {
    expect(await insertOnce(database, things, { _id: id, count: 1 })).to.equal(true);
    expect(await changeOnce(database, things, byId(id), { $inc: { count: 1 } })).to.equal(true);
    const filter = { ...byId(id), count: { $eq: 2 } } as const;
    expect(await replaceOnce(database, things, filter, { _id: id, count: 10 })).to.equal(true);
  };

  const failNext = (data: Record<string, unknown>, times = 1) =>
    database.client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode: { times },
      data: { failCommands: [...WRITES, 'find'], ...data },
    });

  it('applies each write once if its answer is lost', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const lost = proxy.strike('lost', isWrite, 1);
      expect(await insertOnce(database, things, { _id: `${round}`, count: 1 })).to.equal(true);
      const lostAgain = proxy.strike('lost', isWrite, 1);
      expect(await changeOnce(database, things, byId(`${round}`), { $inc: { count: 1 } })).to.equal(true);
      const lostTwice = proxy.strike('lost', isWrite, 2);
      const filter = { ...byId(`${round}`), count: { $eq: 2 } } as const;
      expect(await replaceOnce(database, things, filter, { _id: `${round}`, count: 10 })).to.equal(true);
      expect([lost(), lostAgain(), lostTwice()]).to.deep.equal([1, 1, 2]);
      expect((await things.findOne(byId(`${round}`)))?.count).to.equal(10);
    }
  });

  it('applies one of 20 conditional writes if answers are lost', async () => {
    await insertOnce(database, things, { _id: 'a', count: 1 });
    const lost = proxy.strike('lost', isWrite, 3);
    const filter = { ...byId('a'), count: { $eq: 1 } } as const;
    const changed = await race(20, () => changeOnce(database, things, filter, { $inc: { count: 1 } }));
    expect(changed.filter(Boolean)).to.have.length(1);
    expect((await things.findOne(byId('a')))?.count).to.equal(2);
    expect(lost()).to.equal(3);
  });

  it('applies a write once that no majority confirms in time', async () => {
    const unconfirmed = proxy.strike('doubtful', isWrite, 3);
    await writeThrice('a');
    expect(unconfirmed()).to.equal(3);
    expect(await things.find().toArray()).to.have.length(1);
  });

  it('repeats an insert whose write concern failed', async () => {
    const refusal = { code: 64, errmsg: 'waiting for replication timed out', errInfo: { wtimeout: true } };
    await failNext({ failCommands: ['insert'], writeConcernError: refusal });
    await writeThrice('a');
    expect((await things.findOne(byId('a')))?.count).to.equal(10);
  });

  it('fails as unavailable if a write is never confirmed, and applies it once', async () => {
    proxy.strike('doubtful', isWrite, 1_000);
    const filter = { ...byId('a'), count: { $eq: 1 } } as const;
    await things.insertOne({ _id: 'a', count: 1, write: new ObjectId() }).catch(() => undefined);
    const error = await rejectionOf(() => changeOnce(hasty, things, filter, { $inc: { count: 1 } }));
    expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
    // A busy server may apply the write only after the call has failed.
    const count = async () => (await things.findOne(byId('a')))?.count;
    await until(async () => (await count()) !== 1);
    expect(await count()).to.equal(2);
  });

  it('fails as unavailable if only the primary has a write', async () => {
    // As during a fail-over: a majority does not have the write.
    const primary: Collection<Thing> = Object.create(things, {
      findOne: {
        value: (filter: Filter<Thing>, options: FindOptions) =>
          options.readConcern === undefined ? null : things.findOne(filter, options),
      },
    });
    proxy.strike('lost', isWrite);
    const error = await rejectionOf(() => insertOnce(hasty, primary, { _id: 'a', count: 1 }));
    expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
  });

  for (const [code, name] of [
    [10107, 'NotWritablePrimary'],
    [189, 'PrimarySteppedDown'],
    [91, 'ShutdownInProgress'],
    [112, 'WriteConflict'],
  ] as const) {
    it(`retries after a transient failure: ${name}`, async () => {
      await failNext({ errorCode: code, errorLabels: ['RetryableWriteError'] }, 2);
      await writeThrice('a');
      await failNext({ failCommands: ['find'], errorCode: code });
      expect((await database.call(() => things.findOne(byId('a'))))?.count).to.equal(10);
    });
  }

  it('retries after a broken connection', async () => {
    await failNext({ closeConnection: true }, 2);
    await writeThrice('a');
    const writing = race(20, (place) => writeThrice(`${place}`));
    proxy.cut();
    await writing;
    expect(await things.countDocuments({ count: 10 })).to.equal(21);
  });

  it('fails calls early after a timeout, and waits until the deadline again after an answer', async () => {
    const never = () => new Promise<never>(() => undefined);
    const measureWait = async () => {
      const startedAt = performance.now();
      await rejectionOf(() => hasty.call(never));
      return performance.now() - startedAt;
    };
    const waitForAnswer = () =>
      until(() =>
        hasty
          .call(() => things.findOne(byId('a')))
          .then(
            () => true,
            () => false,
          ),
      );
    await waitForAnswer();
    expect(await measureWait()).to.be.at.least(SHORT_DEADLINE_MS - 1);
    expect(await measureWait()).to.be.lessThan(SHORT_DEADLINE_MS);
    await waitForAnswer();
    expect(await measureWait()).to.be.at.least(SHORT_DEADLINE_MS - 1);
  });
});
