import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { storeSuites } from '../store-suites.ts';
import { indexesOf, onEachMongo } from './mongo-for-tests.ts';

const clock = { now: Date.now };
const INDEXES = indexesOf('files', 'avatars.files', 'avatars.chunks');

onEachMongo((name, mongo, isFull) => {
  const openStore = mongo.makePortsOpener(INDEXES, (database) => ({
    ...mongoPorts(database, { clock }),
    files: makeMongoFileStore(database, 0),
  }));
  storeSuites(name, openStore, { only: ['sealed', 'cacheGeneration'] });
  if (!isFull) return;
  storeSuites(name, openStore, { only: ['files', 'activity'] });
  objectStoreContract(`GridFS in ${name}`, async () => {
    const { ports, close } = await openStore(clock);
    return { store: ports.objects, close };
  });
  mongo.checkPlans();
  mongo.checkIndexes(INDEXES);
});
