import { makePostgresObjects } from '../../../adapters/postgresql/object-store.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { makeSqlTransfer } from '../../../adapters/sql/transfer.ts';
import type { Clock } from '../../../core/ports.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { transferContract } from '../../contracts/transfer.ts';
import { storeSuites } from '../store-suites.ts';
import { openPgliteDatabase } from './pglite-database.ts';

const NAME = 'PostgreSQL in this process';
const systemClock: Clock = { now: () => Date.now() };

/** Databases that are free for reuse. */
const free: Awaited<ReturnType<typeof openPgliteDatabase>>[] = [];

after(async () => {
  await Promise.all(free.map((database) => database.close()));
});

const openStore = async (clock: Clock) => {
  const database = free.pop() ?? (await openPgliteDatabase());
  const objects = makePostgresObjects(database, clock);
  return {
    ports: sqlPorts(database, { clock, objects }),
    movable: makeSqlTransfer(database, objects),
    close: async () => {
      await database.empty();
      free.push(database);
    },
  };
};

/** PGlite drops a byte order mark at the beginning of a text. A server keeps it: `postgresql/plans/every-plan`. */
const WITH_BYTE_ORDER_MARK = 'stores a body unchanged, even if it is empty or not JSON';
// A hook outside a suite would apply to all files of the process.
describe('A store on PostgreSQL in this process', () => {
  beforeEach(function () {
    if (this.currentTest?.title === WITH_BYTE_ORDER_MARK) this.skip();
  });

  storeSuites(NAME, openStore);
  objectStoreContract(NAME, async () => {
    const { ports, close } = await openStore(systemClock);
    return { store: ports.objects, close };
  });
  transferContract(NAME, async () => {
    const { close, ...store } = await openStore(systemClock);
    return { store, close };
  });
});
