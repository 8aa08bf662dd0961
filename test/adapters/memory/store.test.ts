import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';

// All other ports in memory are those of SQLite, whose suites are in `sqlite/plans/every-plan`.
objectStoreContract('The store in memory', async () => ({
  store: makeMemoryObjects({ now: () => Date.now() }),
  close: async () => undefined,
}));
