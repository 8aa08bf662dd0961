import { makeMongoDirectory } from '../../../adapters/mongodb/directory.ts';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { directoryContract } from '../../contracts/directory.ts';
import { storeSuites } from '../store-suites.ts';
import { indexesOf, onEachMongo } from './mongo-for-tests.ts';

let time = 0;
/** Advances by a minute with each reading, so that no cached count is used. */
const clock = {
  now: () => {
    time += 60_000;
    return time;
  },
};

const INDEXES = indexesOf('accounts', 'emails', 'sessions', 'tries', 'domains', 'flows');

onEachMongo((name, mongo, isFull) => {
  const openStore = mongo.makePortsOpener(INDEXES, (database) => mongoPorts(database, { clock }));
  storeSuites(name, openStore, { only: ['accounts', 'attempts'] });
  if (isFull)
    storeSuites(name, openStore, {
      only: ['directory', 'sessions', 'sessionCache', 'customDomains', 'loginKeys', 'flows'],
    });
  // Counts do not depend on the kind of server.
  if (name === 'MongoDB') {
    directoryContract(
      `${name} with many accounts`,
      mongo.makeStoreOpener(INDEXES, (database) => ({
        accounts: mongoPorts(database, { clock }).accounts,
        directory: makeMongoDirectory(database, clock, { few: 0, page: 2, step: 2 }),
      })),
    );
    mongo.checkIndexes(INDEXES);
  }
  mongo.checkPlans();
});
