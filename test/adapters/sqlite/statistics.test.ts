import { makeSqlStatistics } from '../../../adapters/sql/statistics.ts';
import { statisticsContract } from '../../contracts/statistics.ts';
import { openedStore } from './opened.ts';

statisticsContract('SQLite', openedStore(makeSqlStatistics));
