import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', function () {
  // A page of 1,500 records is as many writes.
  this.timeout(60_000);
  const mongo = mongoForTests();
  fileStoreContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => makeMongoFileStore(database, 0)),
  );
  mongo.explainsAll();
});
