import { expect } from 'chai';
import { remoteStoreUnavailable } from '../../../../adapters/calls/store-calls.ts';
import { makeMongoCacheGeneration } from '../../../../adapters/mongodb/cache-generation.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { makeMongoFileActivity } from '../../../../adapters/mongodb/file-activity.ts';
import { makeMongoFileStore } from '../../../../adapters/mongodb/file-store.ts';
import { makeMongoObjects } from '../../../../adapters/mongodb/object-store.ts';
import { makeMongoSealedFiles } from '../../../../adapters/mongodb/sealed-files.ts';
import { cacheGenerationContract } from '../../../contracts/cache-generation.ts';
import { fileActivityContract } from '../../../contracts/file-activity.ts';
import { fileStoreContract } from '../../../contracts/file-store.ts';
import { objectStoreContract } from '../../../contracts/object-store.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { fileId, sampleFile } from '../../../contracts/sample-files.ts';
import { NOW } from '../../../contracts/samples.ts';
import { sealedFilesContract } from '../../../contracts/sealed-files.ts';
import { indexesOf, mongoForTests } from '../mongo-for-tests.ts';
import { losingAnswers } from './losing-answers.ts';

const clock = { now: Date.now };

describe('A MongoDB file store that loses every first answer', () => {
  const mongo = mongoForTests();

  sealedFilesContract(
    'MongoDB',
    mongo.makeStoreOpener(indexesOf('files'), (database) => ({
      sealed: makeMongoSealedFiles(losingAnswers(database)),
      files: makeMongoFileStore(losingAnswers(database), 0),
    })),
  );
  cacheGenerationContract(
    'MongoDB',
    mongo.makeStoreOpener(
      {},
      (database) =>
        [makeMongoCacheGeneration(losingAnswers(database)), makeMongoCacheGeneration(database)] as const,
    ),
  );

  it('adds, counts and removes a record once', async () => {
    const { database, close } = await mongo.open(indexesOf('files'));
    const lossy = losingAnswers(database);
    const [files, activity] = [makeMongoFileStore(lossy), makeMongoFileActivity(lossy)];
    expect(await files.add(sampleFile(1))).to.equal(true);
    expect(await files.add(sampleFile(1))).to.equal(false);
    await files.add(sampleFile(2));
    for (const count of [2, 3]) await activity.add([{ id: fileId(1), count, lastAt: NOW }], `mark ${count}`);
    expect((await activity.list('user', 0, null, 9))[0]).to.include({ accesses: 5 });
    expect(await files.remove(fileId(1))).to.equal(true);
    expect(await files.remove(fileId(1))).to.equal(false);
    expect(await files.removeSome('user', 9)).to.deep.equal([fileId(2)]);
    await files.purge([fileId(1), fileId(2)]);
    expect(await files.listRemoved(9)).to.deep.equal([]);
    await close();
  });

  it('counts each read once if a batch fails half-way and is repeated', async () => {
    const { database, close } = await mongo.open(indexesOf('files'));
    const files = makeMongoFileStore(database);
    for (const number of [1, 999]) await files.add(sampleFile(number));
    let calls = 0;
    const failing: MongoDatabase = {
      ...database,
      call: (work) => {
        calls += 1;
        return calls === 3 ? Promise.reject(remoteStoreUnavailable()) : database.call(work);
      },
    };
    const activity = makeMongoFileActivity(failing);
    const batch = Array.from({ length: 1_000 }, (_, number) => ({
      id: fileId(number),
      count: 2,
      lastAt: NOW,
    }));
    expect(await rejectionOf(() => activity.add(batch, 'mark'))).to.include({ kind: 'unavailable' });
    expect(await activity.list('user', 0, null, 9)).to.have.length(1);
    await activity.add(batch, 'mark');
    expect((await activity.list('user', 0, null, 9)).map(({ accesses }) => accesses)).to.deep.equal([2, 2]);
    await close();
  });

  it('returns each removed record although another process purges removed records meanwhile', async () => {
    const { database, close } = await mongo.open(indexesOf('files'));
    const secondStore = makeMongoFileStore(database);
    const files = makeMongoFileStore(
      losingAnswers(database, async () => secondStore.purge(await secondStore.listRemoved(99))),
    );
    for (let number = 0; number < 20; number += 1) await secondStore.add(sampleFile(number));
    expect(await files.remove(fileId(0))).to.equal(true);
    expect(await files.removeSome('user', 99)).to.have.length(19);
    expect(await makeMongoFileStore(database, 0).listRemoved(99)).to.have.length(20);
    await close();
  });

  // These suites write much and repeat code that other suites run, so they need LONG.
  if (process.env.LONG === undefined) return;
  objectStoreContract(
    'GridFS',
    mongo.makeStoreOpener(indexesOf('avatars.files', 'avatars.chunks'), (database) =>
      makeMongoObjects(losingAnswers(database), clock),
    ),
  );
  fileStoreContract(
    'MongoDB',
    mongo.makeStoreOpener(indexesOf('files'), (database) => makeMongoFileStore(losingAnswers(database), 0)),
  );
  fileActivityContract(
    'MongoDB',
    mongo.makeStoreOpener(indexesOf('files'), (database) => ({
      activity: makeMongoFileActivity(losingAnswers(database)),
      files: makeMongoFileStore(database),
    })),
  );
});
