import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { makeMongoSealedFiles } from '../../../adapters/mongodb/sealed-files.ts';
import { sealedFilesContract } from '../../contracts/sealed-files.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  sealedFilesContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => ({
      sealed: makeMongoSealedFiles(database),
      files: makeMongoFileStore(database, 0),
    })),
  );
  mongo.explainsAll();
});
