import { expect } from 'chai';
import type { Indexes } from '../../../../adapters/mongodb/engine/indexes.ts';
import { makeMongoFileActivity } from '../../../../adapters/mongodb/file-activity.ts';
import { fileIndexes, makeMongoFileStore } from '../../../../adapters/mongodb/file-store.ts';
import { makeMongoObjects, objectIndexes } from '../../../../adapters/mongodb/object-store.ts';
import { makeMongoSealedFiles } from '../../../../adapters/mongodb/sealed-files.ts';
import { fileId, sampleFile } from '../../../contracts/sample-files.ts';
import { NOW } from '../../../contracts/samples.ts';
import { indexNames, serves, watchPlans } from './plans.ts';

const INDEXES: Indexes = { ...fileIndexes, ...objectIndexes };
const PLACE = { uploadedAt: NOW, id: fileId(7) };
const RANK = { accesses: 3, accessedAt: NOW, id: fileId(7) };
const ENTRY = { id: fileId(1), entry: sampleFile(1).entry };

/** Each leads to something; who drops one or adds one says so here. */
const USED = [
  ...['avatars.chunks.files_id_1_n_1', 'files.active', 'files.removed', 'files.sealed_by', 'files.standing'],
];
/** The driver makes it where it is missing, and nobody looks for a file by its name. */
const OF_GRIDFS = 'avatars.files.filename_1_uploadDate_1';

describe('The queries for files in MongoDB', () => {
  const plans = watchPlans(INDEXES);

  it('are answered out of an index, in its order', async () => {
    const files = makeMongoFileStore(plans.database());
    const activity = makeMongoFileActivity(plans.database());
    const sealed = makeMongoSealedFiles(plans.database());
    await files.add(sampleFile(1));
    for (const call of [
      () => files.find(fileId(1)),
      () => files.findAll([fileId(1), fileId(2)]),
      () => files.list('user', null, 25),
      () => files.list('user', PLACE, 25),
      () => files.listSizes('user', PLACE, 25),
      () => files.has('user'),
      () => files.totals(),
      () => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }], 'mark'),
      () => activity.list('user', 0, null, 25),
      () => activity.list('user', 0, RANK, 25),
      () => sealed.countByKey(),
      () => sealed.listNotUnder('key', { keyId: 'a', id: fileId(1) }, 25),
      () => sealed.replace(ENTRY, { entry: '{}', bytes: 1, keyId: 'next' }),
      () => files.remove(fileId(1)),
      () => files.listRemoved(25),
      () => files.purge([fileId(1)]),
      () => files.removeSome('user', 25),
    ])
      await plans.expectIndexed(call);
  });

  it('that go on behind a position never pass over what ties with it', async () => {
    const files = makeMongoFileStore(plans.database());
    const activity = makeMongoFileActivity(plans.database());
    const theirs = { user: { $eq: 'user' }, removed: { $eq: false } };
    expect(await plans.filtersOf(() => files.listSizes('user', PLACE, 25))).to.deep.equal([
      { ...theirs, uploadedAt: { $eq: NOW }, _id: { $lt: fileId(7) } },
      { ...theirs, uploadedAt: { $lt: NOW } },
    ]);
    expect(await plans.filtersOf(() => activity.list('user', 5, RANK, 25))).to.deep.equal([
      { ...theirs, accesses: { $eq: 3 }, accessedAt: { $eq: NOW }, _id: { $gt: fileId(7) } },
      { ...theirs, accesses: { $eq: 3 }, accessedAt: { $gte: 5, $lt: NOW } },
      { ...theirs, accesses: { $gt: 0, $lt: 3 } },
    ]);
  });

  it("find a user's records in an index that tells removed ones apart", async () => {
    const files = makeMongoFileStore(plans.database());
    await files.add(sampleFile(2));
    for (const call of [
      () => files.removeSome('user', 5),
      () => files.listSizes('user', PLACE, 25),
      () => files.has('user'),
    ]) {
      for (const filter of await plans.filtersOf(call)) {
        if (!('user' in filter)) continue;
        const { keys = {} } = INDEXES.files?.find(({ name }) => name === 'standing') ?? {};
        expect(Object.keys(keys).slice(0, 2)).to.deep.equal(Object.keys(filter).slice(0, 2));
      }
    }
  });

  it('of objects are answered out of an index', async () => {
    const objects = makeMongoObjects(plans.database(), { now: Date.now });
    // The first time GridFS looks whether it holds anything, for its indexes.
    await objects.put('other/name.png', Buffer.from('x'));
    await plans.expectIndexed(() => objects.put('user/name.png', Buffer.from('x')));
    await plans.expectIndexed(() => objects.find('user/name.png'));
    await plans.expectIndexed(() => objects.removeAll('user'));
  });

  it('are seen when they are not', () => {
    const listed = { user: 1, uploadedAt: -1, _id: -1, bytes: 1 };
    const filter = { user: { $eq: 'user' } };
    expect(serves(listed, { filter, sort: { uploadedAt: -1, _id: -1 } })).to.equal(true);
    expect(serves(listed, { filter, sort: { uploadedAt: -1, _id: 1 } })).to.equal(false);
    expect(serves(listed, { filter, sort: { bytes: -1 } })).to.equal(false);
    expect(serves(listed, { filter: { keyId: { $eq: 'key' } }, sort: {} })).to.equal(false);
  });

  it('use every index', () => {
    expect(indexNames(INDEXES)).to.have.members([...USED, OF_GRIDFS]);
    expect(plans.usedIndexes()).to.deep.equal(USED);
  });
});
