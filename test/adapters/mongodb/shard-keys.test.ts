import { expect } from 'chai';
import type { Document } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongodb/engine/client.ts';
import { upgradeLayout } from '../../../adapters/mongodb/layout.ts';
import { indexes, mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { makeMongoTransfer } from '../../../adapters/mongodb/transfer.ts';
import { sampleFile } from '../../contracts/sample-files.ts';
import { NOW } from '../../contracts/samples.ts';
import { mongoForTests } from './opened.ts';
import { exercises } from './plans/exercises.ts';
import { faultOf, openRecorded, type ShardKeys } from './plans/recorded.ts';

/** What belongs to a user is kept by user, and everything else by its id. */
const SHARD_KEYS: ShardKeys = { sessions: 'userId', files: 'user' };

describe('What is asked of a MongoDB server', () => {
  let database: MongoDatabase;
  let commands: readonly Document[];
  let ports: ReturnType<typeof mongoPorts>;

  // Goes first, while the server is there.
  after(async () => {
    await database.client.db(database.collection('any').dbName).dropDatabase();
    await database.close();
  });

  const mongo = mongoForTests();

  before(async () => {
    ({ database, commands } = await openRecorded(mongo.url('gatehouse-test-recorded')));
    await upgradeLayout(database, indexes);
    ports = mongoPorts(database, { clock: { now: () => NOW } });
  });

  const faults = (given: readonly Document[]) =>
    given.flatMap((command) => faultOf(command, SHARD_KEYS) ?? []);

  it('needs no index that is missing somewhere', () => {
    expect(commands.filter(({ createIndexes }) => createIndexes !== undefined)).not.to.deep.equal([]);
    expect(faults(commands)).to.deep.equal([]);
  });

  for (const [what, calls] of Object.entries(exercises)) {
    it(`can be had from each server and shard, for ${what}`, async () => {
      const before = commands.length;
      for (const call of calls(ports)) await call();
      expect(commands.length - before).to.be.greaterThan(calls(ports).length - 1);
      expect(faults(commands.slice(before))).to.deep.equal([]);
    });
  }

  it('can be had from each server and shard, for an import of files', async () => {
    const before = commands.length;
    const { sections } = makeMongoTransfer(database, ports.objects);
    const { item: _, ...file } = sampleFile(1);
    await sections.files.write([{ ...file, removed: false, accesses: 0, accessedAt: 0 }], 0);
    expect(commands.slice(before).map(({ update }) => update)).to.deep.equal(['files']);
    expect(faults(commands.slice(before))).to.deep.equal([]);
  });

  it('is seen to be wrong where it is', () => {
    const q = { _id: { $eq: 'a' } };
    const wrong: readonly Document[] = [
      { update: 'sessions', updates: [{ q, u: {}, upsert: true }] },
      { update: 'tries', updates: [{ q: { _id: { $gt: 'a' } }, u: {}, upsert: true }] },
      { update: 'tries', updates: [{ q, u: [{ $set: {} }] }] },
      { findAndModify: 'tries', query: { count: { $eq: 1 } } },
      { findAndModify: 'tries', query: q, hint: 'ending' },
      { find: 'tries', filter: { $or: [{ $where: 'true' }] } },
      { find: 'tries', filter: q, collation: { locale: 'en' } },
      { find: 'tries', filter: q, readConcern: { level: 'linearizable' } },
      { insert: 'tries', documents: [], startTransaction: true },
      { aggregate: 'tries', pipeline: [{ $changeStream: {} }] },
      { createIndexes: 'tries', indexes: [{ key: new Map([['_id', 'hashed']]) }] },
    ];
    for (const command of wrong)
      expect(faultOf(command, SHARD_KEYS), JSON.stringify(command)).to.be.a('string');
    const sharded = { update: 'tries', updates: [{ q, u: { $set: {} }, upsert: true }] };
    expect(faultOf(sharded, SHARD_KEYS)).to.equal(undefined);
  });
});
