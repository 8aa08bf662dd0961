import { makeMongoObjects, objectIndexes } from '../../../adapters/mongodb/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { mongoForTests } from './opened.ts';

const clock = { now: Date.now };

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  objectStoreContract(
    'GridFS',
    mongo.openedStore(objectIndexes, (database) => makeMongoObjects(database, clock)),
  );
  mongo.explainsAll();
});
