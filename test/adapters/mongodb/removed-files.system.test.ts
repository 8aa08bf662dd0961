import { expect } from 'chai';
import { filesIn } from '../../../adapters/mongodb/documents/file-document.ts';
import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { indexesOf, mongoForTests } from './mongo-for-tests.ts';

describe('A removed file record in MongoDB', () => {
  const opened = mongoForTests().useDatabase(indexesOf('files'));

  it('is listed at once for the cache, and is purged only after its idempotency key expired', async () => {
    const database = opened();
    const files = makeMongoFileStore(database);
    const storeAfterExpiry = makeMongoFileStore(database, 0);
    const count = () => filesIn(database).countDocuments({});
    for (const number of [1, 2, 3]) await files.add(sampleFile(number));
    await files.remove(fileId(1));
    expect(await files.removeSome('user', 1)).to.have.length(1);
    const removed = await files.listRemoved(9);
    expect(removed).to.have.length(2).and.include(fileId(1));
    expect(await files.listRemoved(1)).to.deep.equal([fileId(1)]);

    await files.purge([fileId(1)]);
    expect(await files.listRemoved(9)).to.deep.equal(removed.filter((id) => id !== fileId(1)));
    expect(await count()).to.equal(3);
    expect(await files.add(sampleFile(1)), 'its id is taken').to.equal(false);

    // Records that the cache may still hold come first.
    expect(await storeAfterExpiry.listRemoved(9)).to.deep.equal([...removed].toReversed());
    await storeAfterExpiry.purge(removed);
    expect(await storeAfterExpiry.listRemoved(9)).to.deep.equal([]);
    expect(await count()).to.equal(1);
  });
});
