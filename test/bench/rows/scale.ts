import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMongo } from '../../support/servers/mongo-server.ts';
import { startPostgresql } from '../../support/servers/postgresql-server.ts';
import { openConnection } from '../connection.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { requestOf } from '../request.ts';
import { type FillAnswer, fill, serveScale, type UnopenedStore } from '../scale.ts';
import { atMost, type Row } from '../verdict.ts';
import { commandsOf } from './scale-commands.ts';
import { type JobGround, jobRowsOf, transferRowsOf } from './scale-jobs.ts';
import type { ServiceOf } from './scale-requests.ts';
import { routesOf } from './scale-routes.ts';

const SMALL = 1_000;
const SIZES = { full: [1_000_000, 10_000_000], short: [1_000_000] };
/** A user has many files, but no more than a list of them can be had of in a measurement. */
const MOST_HEAVY = 100_000;
const SIGNED_IN = 200;
/** Bytes that a user may take with a session, two files and a row of the audit log. */
const MOST_BYTES = 8_192;

/** Opens a server on a filled store and gives the ways to ask it. */
const openGround = async (
  place: UnopenedStore,
  users: number,
): Promise<JobGround & { end(): Promise<void> }> => {
  const server = await serveScale({ ...place, users, signedIn: SIGNED_IN });
  const lines = {
    accounts: openConnection(server.accounts),
    metadata: openConnection(server.metadata),
    console: openConnection(server.console),
  };
  return {
    ...place,
    users,
    server,
    ask: (service: ServiceOf, client) => lines[service].ask(requestOf(client)),
    end: async () => {
      for (const line of Object.values(lines)) line.close();
      await server.close();
    },
  };
};

const filled = async (place: UnopenedStore, users: number, { say }: Measure): Promise<FillAnswer> => {
  say(`scale: making ${users} users`);
  const heavy = Math.min(MOST_HEAVY, users / 10);
  const answer = await fill({ ...place, users, heavy });
  const files = 2 * users + heavy + 1;
  if (answer.users < users || answer.files !== files)
    throw new Error(`The product counts ${answer.users} users and ${answer.files} files of ${files}.`);
  say(`scale: ${users} users in ${answer.seconds.toFixed(0)} s`);
  return answer;
};

/** The same for a store that a run made which was broken off before it measured anything. */
const filledOnce = async (place: UnopenedStore, users: number, measure: Measure): Promise<FillAnswer> => {
  const noted = join(place.folder, 'filled.json');
  if (!existsSync(noted) && existsSync(join(place.folder, 'gatehouse.db')))
    throw new Error(`The store in ${place.folder} was measured before, which has changed it.`);
  if (!existsSync(noted)) writeFileSync(noted, JSON.stringify(await filled(place, users, measure)));
  const answer: FillAnswer = JSON.parse(readFileSync(noted, 'utf8'));
  rmSync(noted);
  return answer;
};

const sizeRow = (kind: string, users: number, { sizes, seconds }: FillAnswer, file: string): Row => {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const each = (bytes: number) => Math.round(bytes / users);
  const tables = sizes
    .filter(({ bytes }) => each(bytes) > 0)
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes, indexes }) => `${name} ${each(bytes)} B, of that ${each(indexes)} B indexes`);
  const onDisk = existsSync(file) ? `, a file of ${(statSync(file).size / 2 ** 20).toFixed(0)} MB` : '';
  return atMost(MOST_BYTES / 1_024, {
    row: `store for each of ${users} users, ${kind}`,
    unit: 'KB',
    product: each(all) / 1_024,
    note: `made in ${seconds.toFixed(0)} s${onDisk}: ${tables.join('; ')}`,
  });
};

/** A store of a kind in a new folder. */
type MakePlace = (folder: string, name: string) => Promise<UnopenedStore>;

const inGreatFolder = <T>({ folder }: Measure, kind: string, work: (folder: string) => Promise<T>) => {
  if (folder === undefined || kind !== 'embedded') return inFolder(work);
  mkdirSync(folder, { recursive: true });
  return work(folder);
};

const sized = (
  kind: string,
  users: number,
  makePlace: MakePlace,
  measure: Measure,
): Promise<readonly Row[]> =>
  inFolder((smallFolder) =>
    inGreatFolder(measure, kind, (greatFolder) =>
      inFolder(async (freshFolder) => {
        const smallPlace = await makePlace(smallFolder, `small_${users}`);
        const greatPlace = await makePlace(greatFolder, `great_${users}`);
        await filled(smallPlace, Math.min(SMALL, users / 10), measure);
        const answer = await filledOnce(greatPlace, users, measure);
        const rows: Row[] = [sizeRow(kind, users, answer, join(greatFolder, 'gatehouse.db'))];
        const small = await openGround(smallPlace, Math.min(SMALL, users / 10));
        const great = await openGround(greatPlace, users);
        try {
          rows.push(...(await routesOf(small, great, kind, measure)));
          rows.push(...(await commandsOf(small, great, kind, measure)));
          rows.push(...(await jobRowsOf(great, kind === 'embedded', measure)));
          await great.end();
          const fresh = await makePlace(freshFolder, `fresh_${users}`);
          rows.push(...(await transferRowsOf(small, greatPlace, fresh, measure)));
        } finally {
          await great.end();
          await small.end();
        }
        return rows.map((row) => ({ ...row, row: `${kind}, ${users}: ${row.row}` }));
      }),
    ),
  );

/** The test server of MongoDB goes over all documents of a collection for most calls. */
const MOST_ON_MONGODB = 2_000;

interface Opened {
  readonly makePlace: MakePlace;
  readonly most: number;
  end(): Promise<void>;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  embedded: async () => ({
    makePlace: async (folder) => ({ folder, settings: {} }),
    most: Number.POSITIVE_INFINITY,
    end: async () => undefined,
  }),
  PostgreSQL: async () => {
    const server = await startPostgresql({ durable: true });
    return {
      makePlace: async (folder, name) => {
        await server.createDatabase(name);
        return { folder, settings: { POSTGRES_URL: server.url(name) } };
      },
      most: 1_000_000,
      end: server.end,
    };
  },
  MongoDB: async () => {
    const server = await startMongo();
    return {
      makePlace: async (folder, name) => ({ folder, settings: { MONGODB_URL: server.url(name) } }),
      most: MOST_ON_MONGODB,
      end: server.end,
    };
  },
};

/**
 * What grows with the number of users: each route, page and command of a great store against a small one, in turns, and
 * how long `/me` waits while bulk jobs run.
 */
export const scale = async (measure: Measure): Promise<readonly Row[]> => {
  const { users, full, say, store } = measure;
  if (store !== undefined && !(store in STORES))
    throw new Error(`--store takes ${Object.keys(STORES).join(', ')}, not ${store}`);
  const usual = full ? SIZES.full : SIZES.short;
  const rows: Row[] = [];
  for (const [kind, open] of Object.entries(STORES)) {
    if (store !== undefined && store !== kind) continue;
    try {
      const { makePlace, most, end } = await open();
      const sizes =
        users === undefined ? usual.filter((size, place) => place === 0 || size <= most) : [users];
      try {
        for (const size of sizes) rows.push(...(await sized(kind, Math.min(size, most), makePlace, measure)));
      } finally {
        await end();
      }
    } catch (error) {
      say(`scale: ${kind} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
