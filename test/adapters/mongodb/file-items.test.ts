import { expect } from 'chai';
import { filesIn } from '../../../adapters/mongodb/documents/file-document.ts';
import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileOf } from '../../contracts/sample-files.ts';
import { until } from '../../support/until.ts';
import { indexesOf, mongoForTests } from './mongo-for-tests.ts';

describe('File records without list items in MongoDB', () => {
  const mongo = mongoForTests();
  const open = mongo.makeStoreOpener(indexesOf('files'), (database) => ({
    documents: filesIn(database),
    store: makeMongoFileStore(database),
  }));

  it('are listed, and their new list items are stored', async () => {
    const opened = await open();
    const { documents, store } = opened.store;
    const files = [1, 2].map(fileOf);
    for (const file of files) await store.add(file);
    await documents.updateMany({}, { $unset: { item: '' } });
    const items = async () => (await store.list('user', null, 9)).map(({ item }) => item);
    const expected = files.map(({ item }) => item).toReversed();
    expect(await items()).to.deep.equal(expected);
    await until(async () => (await documents.findOne({ item: { $exists: false } })) === null);
    expect(await items()).to.deep.equal(expected);
    await opened.close();
  });
});
