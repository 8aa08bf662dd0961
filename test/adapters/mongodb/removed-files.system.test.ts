import { expect } from 'chai';
import { filesIn } from '../../../adapters/mongodb/documents/file-document.ts';
import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { indexesOf, mongoForTests } from './opened.ts';

describe('A removed file record in MongoDB', () => {
  const opened = mongoForTests().useDatabase(indexesOf('files'));

  it('is listed at once, so that the cache loses it, and stays until nobody looks for the mark of its removal', async () => {
    const database = opened();
    const files = makeMongoFileStore(database);
    const aMinuteLater = makeMongoFileStore(database, 0);
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

    // Those that the cache may still have go first.
    expect(await aMinuteLater.listRemoved(9)).to.deep.equal([...removed].toReversed());
    await aMinuteLater.purge(removed);
    expect(await aMinuteLater.listRemoved(9)).to.deep.equal([]);
    expect(await count()).to.equal(1);
  });
});
