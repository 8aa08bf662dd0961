import { makeMongoCacheEpoch } from '../../../adapters/mongodb/cache-epoch.ts';
import { cacheEpochContract } from '../../contracts/cache-epoch.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  cacheEpochContract(
    'MongoDB',
    mongo.openedStore(
      {},
      (database) => [makeMongoCacheEpoch(database), makeMongoCacheEpoch(database)] as const,
    ),
  );
});
