import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { makeMemoryObjects } from '../../../adapters/memory/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { storeSuites } from '../store-suites.ts';

storeSuites('The store in memory', async (clock) => openMemoryStore(clock));
objectStoreContract('The store in memory', async () => ({
  store: makeMemoryObjects({ now: () => Date.now() }),
  close: async () => undefined,
}));
