import { makeMongoCacheGeneration } from '../../../adapters/mongodb/cache-generation.ts';
import { cacheGenerationContract } from '../../contracts/cache-generation.ts';
import { mongoForTests } from './opened.ts';

describe('A MongoDB server', () => {
  const mongo = mongoForTests();
  cacheGenerationContract(
    'MongoDB',
    mongo.openedStore(
      {},
      (database) => [makeMongoCacheGeneration(database), makeMongoCacheGeneration(database)] as const,
    ),
  );
});
