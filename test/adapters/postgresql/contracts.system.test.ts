import type { Clock } from '../../../core/ports.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { transferContract } from '../../contracts/transfer.ts';
import { storeSuites } from '../store-suites.ts';
import { postgresForTests } from './opened.ts';

const systemClock: Clock = { now: () => Date.now() };

describe('A PostgreSQL server', () => {
  const { openStore } = postgresForTests();
  storeSuites('PostgreSQL', (clock) => openStore(clock));
  objectStoreContract('PostgreSQL', async () => {
    const { ports, close } = await openStore(systemClock);
    return { store: ports.objects, close };
  });
  transferContract('PostgreSQL', async () => {
    const { close, ...store } = await openStore(systemClock);
    return { store, close };
  });
});
