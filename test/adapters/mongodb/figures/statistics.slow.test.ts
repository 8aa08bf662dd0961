import { findingsIndexes, makeMongoFindings } from '../../../../adapters/mongodb/figures/findings.ts';
import { makeMongoStatistics, statisticsIndexes } from '../../../../adapters/mongodb/figures/statistics.ts';
import { findingsContract } from '../../../contracts/findings.ts';
import { statisticsContract } from '../../../contracts/statistics.ts';
import { onEachMongo } from '../opened.ts';

onEachMongo((name, { openedStore, explainsAll }) => {
  statisticsContract(name, openedStore(statisticsIndexes, makeMongoStatistics));
  findingsContract(name, openedStore(findingsIndexes, makeMongoFindings));
  explainsAll();
});
