import { keyValueStoreIndexes, makeMongoKeyValueStore } from '../../../adapters/mongodb/key-value-store.ts';
import { makeMongoStatistics, statisticsIndexes } from '../../../adapters/mongodb/statistics.ts';
import { keyValueStoreContract } from '../../contracts/key-value-store.ts';
import { statisticsContract } from '../../contracts/statistics.ts';
import { onEachMongo } from './opened.ts';

onEachMongo((name, { openedStore, explainsAll }) => {
  statisticsContract(name, openedStore(statisticsIndexes, makeMongoStatistics));
  keyValueStoreContract(name, openedStore(keyValueStoreIndexes, makeMongoKeyValueStore));
  explainsAll();
});
