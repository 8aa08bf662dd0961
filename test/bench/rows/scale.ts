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
/** The number of files of one user, whose list a measurement can still read. */
const MOST_FILES = 100_000;
const SIGNED_IN = 200;
/** The highest number of bytes for a user with a session, two files and an audit row. */
const MOST_BYTES = 8_192;

/** Opens a server on a filled store, with connections to its services. */
const openGround = async (
  store: UnopenedStore,
  users: number,
): Promise<JobGround & { end(): Promise<void> }> => {
  const server = await serveScale({ ...store, users, signedIn: SIGNED_IN });
  const lines = {
    accounts: openConnection(server.accounts),
    metadata: openConnection(server.metadata),
    console: openConnection(server.console),
  };
  return {
    ...store,
    users,
    server,
    ask: (service: ServiceOf, client) => lines[service].ask(requestOf(client)),
    end: async () => {
      for (const line of Object.values(lines)) line.close();
      await server.close();
    },
  };
};

const fillStore = async (store: UnopenedStore, users: number, { say }: Measure): Promise<FillAnswer> => {
  say(`scale: making ${users} users`);
  const heavy = Math.min(MOST_FILES, users / 10);
  const answer = await fill({ ...store, users, heavy });
  const files = 2 * users + heavy + 1;
  if (answer.users < users || answer.files !== files)
    throw new Error(`The product counts ${answer.users} users and ${answer.files} files of ${files}.`);
  say(`scale: ${users} users in ${answer.seconds.toFixed(0)} s`);
  return answer;
};

/** Fills a store, or uses the store of a run that was interrupted before it measured. */
const fillOnce = async (store: UnopenedStore, users: number, measure: Measure): Promise<FillAnswer> => {
  const noteFile = join(store.folder, 'filled.json');
  if (!existsSync(noteFile) && existsSync(join(store.folder, 'gatehouse.db')))
    throw new Error(`The store in ${store.folder} was measured before, which has changed it.`);
  if (!existsSync(noteFile)) writeFileSync(noteFile, JSON.stringify(await fillStore(store, users, measure)));
  const answer: FillAnswer = JSON.parse(readFileSync(noteFile, 'utf8'));
  rmSync(noteFile);
  return answer;
};

const sizeRow = (kind: string, users: number, { sizes, seconds }: FillAnswer, file: string): Row => {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const each = (bytes: number) => Math.round(bytes / users);
  const tables = sizes
    .filter(({ bytes }) => each(bytes) > 0)
    .toSorted((table, other) => other.bytes - table.bytes)
    .map(({ name, bytes, indexes }) => `${name} ${each(bytes)} B, of that ${each(indexes)} B indexes`);
  const onDisk = existsSync(file) ? `, a file of ${(statSync(file).size / 2 ** 20).toFixed(0)} MB` : '';
  return atMost(MOST_BYTES / 1_024, {
    row: `store for each of ${users} users, ${kind}`,
    unit: 'KB',
    product: each(all) / 1_024,
    note: `made in ${seconds.toFixed(0)} s${onDisk}: ${tables.join('; ')}`,
  });
};

/** Makes an empty store of a kind in a new folder. */
type MakeStore = (folder: string, name: string) => Promise<UnopenedStore>;

const inLargeFolder = <T>({ folder }: Measure, kind: string, work: (folder: string) => Promise<T>) => {
  if (folder === undefined || kind !== 'embedded') return inFolder(work);
  mkdirSync(folder, { recursive: true });
  return work(folder);
};

const rowsFor = (
  kind: string,
  users: number,
  makeStore: MakeStore,
  measure: Measure,
): Promise<readonly Row[]> =>
  inFolder((smallFolder) =>
    inLargeFolder(measure, kind, (largeFolder) =>
      inFolder(async (freshFolder) => {
        const smallStore = await makeStore(smallFolder, `small_${users}`);
        const largeStore = await makeStore(largeFolder, `great_${users}`);
        await fillStore(smallStore, Math.min(SMALL, users / 10), measure);
        const answer = await fillOnce(largeStore, users, measure);
        const rows: Row[] = [sizeRow(kind, users, answer, join(largeFolder, 'gatehouse.db'))];
        const small = await openGround(smallStore, Math.min(SMALL, users / 10));
        const large = await openGround(largeStore, users);
        try {
          rows.push(...(await routesOf(small, large, kind, measure)));
          rows.push(...(await commandsOf(small, large, kind, measure)));
          rows.push(...(await jobRowsOf(large, kind === 'embedded', measure)));
          await large.end();
          const fresh = await makeStore(freshFolder, `fresh_${users}`);
          rows.push(...(await transferRowsOf(small, largeStore, fresh, measure)));
        } finally {
          await large.end();
          await small.end();
        }
        return rows.map((row) => ({ ...row, row: `${kind}, ${users}: ${row.row}` }));
      }),
    ),
  );

/** The MongoDB server of the tests reads all documents of a collection for most calls. */
const MOST_ON_MONGODB = 2_000;

interface Opened {
  readonly makeStore: MakeStore;
  readonly most: number;
  end(): Promise<void>;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  embedded: async () => ({
    makeStore: async (folder) => ({ folder, settings: {} }),
    most: Number.POSITIVE_INFINITY,
    end: async () => undefined,
  }),
  PostgreSQL: async () => {
    const server = await startPostgresql({ durable: true });
    return {
      makeStore: async (folder, name) => {
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
      makeStore: async (folder, name) => ({ folder, settings: { MONGODB_URL: server.url(name) } }),
      most: MOST_ON_MONGODB,
      end: server.end,
    };
  },
};

/**
 * The effect of the number of users: each route, page and command on a large store against a small one, in turns, and the
 * waits of `/me` during bulk jobs.
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
      const { makeStore, most, end } = await open();
      const sizes =
        users === undefined ? usual.filter((size, index) => index === 0 || size <= most) : [users];
      try {
        for (const size of sizes)
          rows.push(...(await rowsFor(kind, Math.min(size, most), makeStore, measure)));
      } finally {
        await end();
      }
    } catch (error) {
      say(`scale: ${kind} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
};
