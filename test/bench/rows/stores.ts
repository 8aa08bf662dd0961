import { startMongo } from '../../support/servers/mongo-server.ts';
import { startPostgresql } from '../../support/servers/postgresql-server.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { onStore, refreshes, type StoresAnswer } from '../stores.ts';
import { atLeast, atMostTimes, type Row } from '../verdict.ts';

const EXTENT = { users: 30_000, inFlight: 64 };
/** The MongoDB server of the tests reads all users for each call, and would be too slow with more users. */
const EXTENT_ON_MONGODB: typeof EXTENT = { users: 200, inFlight: 2 };
const REFRESHES = { full: 1_000_000, short: 100_000 };
/** The share of SQLite's rate that PostgreSQL must reach; SQLite runs in the process itself. */
const LEAST: Readonly<Record<keyof StoresAnswer, number>> = {
  import: 0.3,
  login: 0.3,
  refresh: 0.3,
  me: 0.9,
  create: 0.2,
  read: 0.3,
  list: 0.3,
  sync: 0.3,
};

const rowsOf = (sqlite: StoresAnswer, postgresql: StoresAnswer, mongodb: StoresAnswer | undefined) =>
  (Object.keys(LEAST) as (keyof StoresAnswer)[]).map((name) =>
    atLeast(LEAST[name], {
      row: `${name}, PostgreSQL`,
      unit: '/s',
      product: postgresql[name],
      reference: sqlite[name],
      against: 'SQLite',
      ...(mongodb && {
        note: `MongoDB ${Math.round(mongodb[name])}/s with ${EXTENT_ON_MONGODB.inFlight} under way`,
      }),
    }),
  );

/** The same work on each store; the servers are durable. */
export const stores = async ({ seconds, rounds, full, say }: Measure): Promise<readonly Row[]> => {
  const measureStore = (name: string, settings: Readonly<Record<string, string>>, extent = EXTENT) => {
    say(`stores: ${name}`);
    return inFolder((folder) => onStore({ folder, settings, seconds, ...extent }));
  };
  // MongoDB is measured for orientation only.
  const withoutMongo = (error: unknown): undefined => {
    say(`stores: MongoDB could not be measured: ${error}`);
  };
  const postgresql = await startPostgresql({ durable: true });
  const mongo = await startMongo().catch(withoutMongo);
  try {
    await postgresql.createDatabase('bench');
    await postgresql.createDatabase('refresh');
    const rows = rowsOf(
      await measureStore('SQLite', {}),
      await measureStore('PostgreSQL', { POSTGRES_URL: postgresql.url('bench') }),
      mongo &&
        (await measureStore('MongoDB', { MONGODB_URL: mongo.url('bench') }, EXTENT_ON_MONGODB).catch(
          withoutMongo,
        )),
    );
    say('stores: refreshes');
    const { stored, inserted, before, after, inPlace } = await refreshes({
      url: postgresql.url('refresh'),
      seconds,
      rounds,
      refreshes: full ? REFRESHES.full : REFRESHES.short,
    });
    // Ratios of times, which are the inverse of rates.
    const times = stored.map((rate, round) => (inserted[round] ?? Number.NaN) / rate);
    const microseconds = (rates: readonly number[]) => 1_000_000 / median(rates);
    return [
      ...rows,
      atMostTimes(1.3, {
        row: 'refresh by the store, PostgreSQL',
        unit: 'us',
        product: microseconds(stored),
        reference: microseconds(inserted),
        against: 'one INSERT by the driver',
        ratio: median(times),
      }),
      atMostTimes(3, {
        row: 'sessions after many refreshes, PostgreSQL',
        unit: 'MB',
        product: after.table + after.indexes,
        reference: before.table + before.indexes,
        against: 'before',
        note: `indexes ${before.indexes.toFixed(1)} to ${after.indexes.toFixed(1)} MB, ${Math.round(inPlace * 100)} % in place`,
      }),
    ];
  } finally {
    await mongo?.end();
    await postgresql.end();
  }
};
