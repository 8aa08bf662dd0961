import { makeMongoCacheGeneration } from '../../../adapters/mongodb/cache-generation.ts';
import { makeMongoFileActivity } from '../../../adapters/mongodb/file-activity.ts';
import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { makeMongoObjects, objectIndexes } from '../../../adapters/mongodb/object-store.ts';
import { makeMongoSealedFiles } from '../../../adapters/mongodb/sealed-files.ts';
import { cacheGenerationContract } from '../../contracts/cache-generation.ts';
import { fileActivityContract } from '../../contracts/file-activity.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { sealedFilesContract } from '../../contracts/sealed-files.ts';
import { mongoForTests } from './opened.ts';

const clock = { now: Date.now };

describe('On a server that is no member of a replica set', () => {
  const mongo = mongoForTests('--standalone');

  sealedFilesContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => ({
      sealed: makeMongoSealedFiles(database),
      files: makeMongoFileStore(database, 0),
    })),
  );
  cacheGenerationContract(
    'MongoDB',
    mongo.openedStore(
      {},
      (database) => [makeMongoCacheGeneration(database), makeMongoCacheGeneration(database)] as const,
    ),
  );
  // The same calls, and many of them: not in every run.
  if (process.env.LONG === undefined) return;
  objectStoreContract(
    'GridFS',
    mongo.openedStore(objectIndexes, (database) => makeMongoObjects(database, clock)),
  );
  fileStoreContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => makeMongoFileStore(database, 0)),
  );
  fileActivityContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => ({
      activity: makeMongoFileActivity(database),
      files: makeMongoFileStore(database, 0),
    })),
  );
});
