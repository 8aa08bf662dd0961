import { expect } from 'chai';
import { makePostgresObjects } from '../../../adapters/postgresql/object-store.ts';
import type { Database } from '../../../adapters/sql/database.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { makeSqlTransfer } from '../../../adapters/sql/transfer.ts';
import type { Clock } from '../../../core/ports.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { sampleAccount } from '../../contracts/samples.ts';
import { transferContract } from '../../contracts/transfer.ts';
import { storeSuites } from '../store-suites.ts';
import { EMPTY } from './empty-tables.ts';
import { openPgliteDatabase } from './pglite-database.ts';

const NAME = 'PostgreSQL in this process';
const systemClock: Clock = { now: () => Date.now() };

/** Databases that no test uses now. */
const free: Awaited<ReturnType<typeof openPgliteDatabase>>[] = [];

after(async () => {
  await Promise.all(free.map((database) => database.close()));
});

const openStore = async (clock: Clock) => {
  const database = free.pop() ?? (await openPgliteDatabase());
  const objects = makePostgresObjects(database, clock);
  return {
    database,
    ports: sqlPorts(database, { clock, objects }),
    movable: makeSqlTransfer(database, objects),
    close: async () => {
      await database.empty();
      free.push(database);
    },
  };
};

/** PGlite drops a byte order mark at the beginning of a text. A server keeps it: `postgresql/plans/every-plan`. */
const WITH_BYTE_ORDER_MARK = 'takes a body as it is, also one that is no JSON, or none at all';
// Hooks outside a suite would be for all files that share the process.
describe('The suites of a store', () => {
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

describe('A database of PostgreSQL that a test has used', () => {
  /** The tables that have rows though nothing was written. */
  const filled = async ({ read }: Database) => {
    const tables = await read.all("SELECT tablename FROM pg_tables WHERE schemaname = 'gatehouse'", []);
    const names = tables.map(({ tablename }) => String(tablename));
    expect(names).to.have.length.above(20);
    const counts = await Promise.all(
      names.map(async (name) => [name, (await read.all(`SELECT * FROM ${name}`, [])).length] as const),
    );
    return Object.fromEntries(counts.filter(([, rows]) => rows > 0));
  };
  const FILLED_BY_SCHEMA = { schema_version: 1, cache_epoch: 1 };

  it('has no rows for the next one', async () => {
    const { ports, close, database } = await openStore(systemClock);
    await ports.accounts.add(sampleAccount('ada'));
    expect((await ports.directory.stats(0)).total).to.equal(1);
    expect(await filled(database)).to.include.keys('accounts', 'account_counts');
    await close();
    expect(await filled(database)).to.deep.equal(FILLED_BY_SCHEMA);
  });

  for (const last of ['accounts', 'account_counts'])
    it(`has no rows after EMPTY, also where ${last} is emptied last`, async () => {
      const { ports, close, database } = await openStore(systemClock);
      // A changed table comes last in the catalogue.
      await database.write([{ sql: `ALTER TABLE ${last} SET (fillfactor = 60)`, params: [] }]);
      await ports.accounts.add(sampleAccount('ada'));
      await database.write([{ sql: EMPTY, params: [] }]);
      expect(await filled(database)).to.deep.equal(FILLED_BY_SCHEMA);
      await close();
    });
});
