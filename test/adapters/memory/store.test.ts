import { makeMemoryStore } from '../../../adapters/memory/store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { storeSuites } from '../store-suites.ts';

const systemClock = { now: () => Date.now() };
const close = async () => undefined;

storeSuites('The store in memory', async (clock) => ({ ports: makeMemoryStore(clock), close }));
objectStoreContract('The store in memory', async () => ({
  store: makeMemoryStore(systemClock).objects,
  close,
}));
