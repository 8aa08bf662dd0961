import { makeMongoFileActivity } from '../../../adapters/mongodb/file-activity.ts';
import { fileIndexes, makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { fileActivityContract } from '../../contracts/file-activity.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  fileActivityContract(
    'MongoDB',
    mongo.openedStore(fileIndexes, (database) => ({
      activity: makeMongoFileActivity(database),
      files: makeMongoFileStore(database),
    })),
  );
  mongo.explainsAll();
});
