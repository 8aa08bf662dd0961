import { expect } from 'chai';
import type { Document } from 'mongodb';
import { indexes } from '../../../../adapters/mongodb/collections.ts';
import { upgradeLayout } from '../../../../adapters/mongodb/layout-version.ts';
import { NOW } from '../../../contracts/samples.ts';
import { mongoForTests } from '../opened.ts';
import { faultOf } from './command-faults.ts';
import { indexNames, serves } from './plans.ts';
import { makeQueryShapes, USED_INDEXES } from './query-shapes.ts';

/** The driver makes it where it is missing, and nobody looks for a file by its name. */
const OF_GRIDFS = 'avatars.files.filename_1_uploadDate_1';

describe('What is asked of a MongoDB server', () => {
  const mongo = mongoForTests();

  it('needs no index that is missing somewhere, and leads through each, but for one of the driver', async () => {
    const { database, close } = await mongo.open({});
    await upgradeLayout(database, indexes);
    expect(mongo.shapes.judge([]).forbidden).to.deep.equal([]);
    await close();
    // One of those that tidy up leads the sweep too.
    const unused = indexNames(indexes).filter((name) => !USED_INDEXES.includes(name));
    expect(unused).to.deep.equal([OF_GRIDFS]);
    const missing = USED_INDEXES.filter((name) => !indexNames(indexes).includes(name));
    expect(missing).to.deep.equal(['flows.ending']);
  });

  it('is seen to be served by no index, or by one that leaves much to compare', () => {
    const due = { standing: 1, dueAt: 1, _id: 1 };
    const pending = { standing: { $eq: 'pending' } };
    const listed = { user: 1, uploadedAt: -1, _id: -1, bytes: 1 };
    const ofUser = { user: { $eq: 'user' } };
    for (const [keys, filter, sort, isServed] of [
      [due, pending, { dueAt: -1, _id: -1 }, true],
      [due, pending, { dueAt: 1, _id: -1 }, false],
      [due, pending, { receivedAt: 1 }, false],
      [due, { dueAt: { $lte: NOW } }, {}, false],
      [listed, ofUser, { uploadedAt: -1, _id: -1 }, true],
      [listed, ofUser, { uploadedAt: -1, _id: 1 }, false],
      [listed, ofUser, { bytes: -1 }, false],
      [listed, { keyId: { $eq: 'key' } }, {}, false],
    ] as const)
      expect(serves(keys, { filter, sort }), JSON.stringify([keys, filter, sort])).to.equal(isServed);
    const shapes = makeQueryShapes();
    shapes.note({ find: 'outbox', filter: { fence: { $gt: 0 } } });
    expect(shapes.judge([]).faults).to.have.length(1);
    shapes.note({ find: 'outbox', filter: { userId: { $eq: 'user' }, fence: { $gt: 0 } } });
    expect(shapes.uses().compared).to.have.length(1);
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
    for (const command of wrong) expect(faultOf(command), JSON.stringify(command)).to.be.a('string');
    const sharded = { update: 'tries', updates: [{ q, u: { $set: {} }, upsert: true }] };
    expect(faultOf(sharded)).to.equal(undefined);
  });
});
