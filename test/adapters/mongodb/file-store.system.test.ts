import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  fileStoreContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => makeMongoFileStore(database, 0)),
  );
  mongo.explainsAll();
});
