import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgresql } from '../../support/servers/postgresql-server.ts';
import { openConnection } from '../connection.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { requestOf } from '../request.ts';
import { type FillAnswer, fill, type StorePlace, serveScale } from '../scale.ts';
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
const openGround = async (place: StorePlace, users: number): Promise<JobGround & { end(): Promise<void> }> => {
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

const filled = async (place: StorePlace, users: number, { say }: Measure): Promise<FillAnswer> => {
  say(`scale: making ${users} users`);
  const heavy = Math.min(MOST_HEAVY, users / 10);
  const answer = await fill({ ...place, users, heavy });
  const files = 2 * users + heavy + 1;
  if (answer.users < users || answer.files !== files)
    throw new Error(`The product counts ${answer.users} users and ${answer.files} files of ${files}.`);
  say(`scale: ${users} users in ${answer.seconds.toFixed(0)} s`);
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
type MakePlace = (folder: string, name: string) => Promise<StorePlace>;

const sized = (kind: string, users: number, makePlace: MakePlace, measure: Measure): Promise<readonly Row[]> =>
  inFolder((smallFolder) =>
    inFolder((greatFolder) =>
      inFolder(async (freshFolder) => {
        const smallPlace = await makePlace(smallFolder, `small_${users}`);
        const greatPlace = await makePlace(greatFolder, `great_${users}`);
        await filled(smallPlace, SMALL, measure);
        const answer = await filled(greatPlace, users, measure);
        const rows: Row[] = [sizeRow(kind, users, answer, join(greatFolder, 'gatehouse.db'))];
        const small = await openGround(smallPlace, SMALL);
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

const onPostgresql = async (users: number, measure: Measure): Promise<readonly Row[]> => {
  const server = await startPostgresql({ durable: true });
  try {
    return await sized(
      'PostgreSQL',
      users,
      async (folder, name) => {
        await server.createDatabase(name);
        return { folder, settings: { POSTGRES_URL: server.url(name) } };
      },
      measure,
    );
  } finally {
    await server.end();
  }
};

/**
 * What grows with the number of users: each route, page and command of a great store against a small one, in turns, and
 * how long `/me` waits while bulk jobs run.
 */
export const scale = async (measure: Measure): Promise<readonly Row[]> => {
  const { users, full } = measure;
  const sizes = users === undefined ? (full ? SIZES.full : SIZES.short) : [users];
  const rows: Row[] = [];
  for (const size of sizes)
    rows.push(...(await sized('embedded', size, async (folder) => ({ folder, settings: {} }), measure)));
  rows.push(...(await onPostgresql(sizes[0] ?? SMALL, measure)));
  return rows;
};
