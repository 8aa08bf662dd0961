import { keptCountsTests } from '../sql/kept-counts.ts';
import { storeSuites } from '../store-suites.ts';
import { openStore } from './open-store.ts';

// The suites of sessions are in `session-store.test.ts`, which takes less time.
storeSuites('SQLite', openStore, { but: ['sessions', 'sessionCache'] });
keptCountsTests('SQLite', openStore);
