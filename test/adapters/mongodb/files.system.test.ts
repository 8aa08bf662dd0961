import { makeMongoFileStore } from '../../../adapters/mongodb/file-store.ts';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { storeSuites } from '../store-suites.ts';
import { indexesOf, onEachMongo } from './opened.ts';

const clock = { now: Date.now };
const INDEXES = indexesOf('files', 'avatars.files', 'avatars.chunks');

onEachMongo((name, mongo) => {
  const open = mongo.openedStore(INDEXES, (database) => ({
    ...mongoPorts(database, { clock }),
    files: makeMongoFileStore(database, 0),
  }));
  const openStore = async () => {
    const { store, close } = await open();
    return { ports: store, close };
  };
  storeSuites(name, openStore, { only: ['sealed', 'epoch'] });
  // The same calls on either server, and many of them: not in every run.
  if (name !== 'MongoDB' && process.env.LONG === undefined) return;
  storeSuites(name, openStore, { only: ['files', 'activity'] });
  objectStoreContract(`GridFS in ${name}`, async () => {
    const { store, close } = await open();
    return { store: store.objects, close };
  });
  mongo.explainsAll();
  mongo.usesEveryIndex(INDEXES);
});
