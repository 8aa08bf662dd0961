import { makeSqliteStatistics } from '../../../adapters/sqlite/statistics.ts';
import { statisticsContract } from '../../contracts/statistics.ts';
import { openedStore } from './opened.ts';

statisticsContract('SQLite', openedStore(makeSqliteStatistics));
