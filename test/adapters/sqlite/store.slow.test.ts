import { keptCountsTests } from '../sql/kept-counts.ts';
import { storeSuites } from '../store-suites.ts';
import { openStore } from './opened.ts';

// Those of sessions are in a file of their own, which takes less time.
storeSuites('SQLite', openStore, { but: ['sessions', 'sessionCache'] });
keptCountsTests('SQLite', openStore);
