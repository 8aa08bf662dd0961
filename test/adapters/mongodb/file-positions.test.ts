import { expect } from 'chai';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { makeMongoFileActivity } from '../../../adapters/mongodb/file-activity.ts';
import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { NOW } from '../../contracts/samples.ts';
import { indexesOf, mongoForTests } from './mongo-for-tests.ts';

const POSITION = { uploadedAt: NOW, id: fileId(7) };
const RANK = { accesses: 3, accessedAt: NOW, id: fileId(7) };

describe('The queries for files in MongoDB', () => {
  const mongo = mongoForTests();
  const database = mongo.useDatabase(indexesOf('files'));

  it('continue after a position, and skip no record with an equal sort key', async () => {
    const files = makeMongoFileStore(database());
    const activity = makeMongoFileActivity(database());
    const ofUser = { user: { $eq: 'user' }, removed: { $eq: false } };
    expect(await mongo.filtersOf(() => files.listSizes('user', POSITION, 25))).to.deep.equal([
      { ...ofUser, uploadedAt: { $eq: NOW }, _id: { $lt: fileId(7) } },
      { ...ofUser, uploadedAt: { $lt: NOW } },
    ]);
    expect(await mongo.filtersOf(() => activity.list('user', 5, RANK, 25))).to.deep.equal([
      { ...ofUser, accesses: { $eq: 3 }, accessedAt: { $eq: NOW }, _id: { $gt: fileId(7) } },
      { ...ofUser, accesses: { $eq: 3 }, accessedAt: { $gte: 5, $lt: NOW } },
      { ...ofUser, accesses: { $gt: 0, $lt: 3 } },
    ]);
  });

  it("search a user's records by an index that separates removed records", async () => {
    const files = makeMongoFileStore(database());
    await files.add(sampleFile(2));
    for (const call of [
      () => files.removeSome('user', 5),
      () => files.listSizes('user', POSITION, 25),
      () => files.has('user'),
    ]) {
      for (const filter of await mongo.filtersOf(call)) {
        if (!('user' in filter)) continue;
        const { keys = {} } = indexes.files.find(({ name }) => name === 'standing') ?? {};
        expect(Object.keys(keys).slice(0, 2)).to.deep.equal(Object.keys(filter).slice(0, 2));
      }
    }
  });
});
