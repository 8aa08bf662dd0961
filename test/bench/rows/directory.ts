import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import type { Database } from '../../../adapters/sql/database.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { createAccounts, directoryFlags, type ListDirectoryInput } from '../../../core/index.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { openPorts } from '../../core/accounts/open-core.ts';
import { inFolder } from '../folder.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atMost, type Row } from '../verdict.ts';

const USERS = { full: 1_000_000, short: 100_000 };
const BATCH = 20_000;
const PAGES = 3;
const ROUNDS = 7;

/** Copies a user within the store; `?1` is the number of the first copy, `?2` the number after the last. */
const SEED = `
  WITH RECURSIVE made (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM made WHERE n + 1 < ?2),
    one AS (SELECT doc FROM accounts WHERE id = 'one'),
    named AS (SELECT n, printf('%08x-0000-7000-8000-000000000000', n) AS id,
      printf('user%07d@example.com', (n * 7919) % 10000000) AS email FROM made)
  INSERT INTO accounts (id, version, email, unverified_since, pending, created_at, tier, premium, verified, two_factor,
    sealed, billed, banned_until, disabled_until, operator, doc)
  SELECT id, 0, email, CASE WHEN n % 20 = 0 THEN ?3 + n END, 0, ?3 + n, CASE WHEN n % 10 = 0 THEN 'pro' ELSE 'free' END,
    n % 10 = 0, n % 20 <> 0, n % 5 = 0, 0, 0,
    CASE WHEN n % 1000 = 0 THEN ?3 * 2 WHEN n % 10 = 1 THEN 1 ELSE 0 END, CASE WHEN n % 2000 = 0 THEN ?3 * 2 ELSE 0 END,
    n % 50000 = 0, json_set(doc, '$.id', id, '$.email', email, '$.createdAt', ?3 + n)
  FROM named, one`;

const seed = async (database: Database, users: number, say: Measure['say']): Promise<void> => {
  await makeSqlAccountStore(database).add(sampleAccount('one', { createdAt: NOW - 1 }));
  for (let from = 0; from < users; from += BATCH) {
    if (from % (users / 10) === 0) say(`directory: ${from} of ${users} users`);
    const outcome = await database.write([{ sql: SEED, params: [from, from + BATCH, NOW] }]);
    if (!outcome.done) throw new Error('The users were not added.');
  }
};

/** All lists, by the beginning of emails or newest first, and searches that find nothing and give up. */
const LISTS: readonly ListDirectoryInput[] = [{}, { prefix: 'user0' }, { prefix: 'user' }].flatMap((base) => [
  base,
  { ...base, tier: 'pro' },
  { ...base, tier: 'enterprise', flag: 'two_factor' as const },
  ...directoryFlags.map((flag) => ({ ...base, flag })),
]);

/** The time of the slowest page of all lists of the directory. */
export const directory = ({ full, say }: Measure): Promise<readonly Row[]> =>
  inFolder(async (folder) => {
    const users = full ? USERS.full : USERS.short;
    const database = openDatabase({ folder });
    await seed(database, users, say);
    const { ports } = openPorts();
    const { operate } = createAccounts({ ...ports, directory: makeSqlDirectory(database) });
    const pagesOf = async (list: ListDirectoryInput): Promise<readonly number[]> => {
      const pageTimes: number[] = [];
      let cursor: string | undefined;
      do {
        const startedAt = performance.now();
        const page = await operate.listDirectory({ ...list, ...(cursor !== undefined && { cursor }) });
        pageTimes.push(performance.now() - startedAt);
        cursor = page.cursor;
      } while (cursor !== undefined && pageTimes.length < PAGES);
      return pageTimes;
    };
    const times: { readonly name: string; readonly milliseconds: number }[] = [];
    for (const list of LISTS) {
      say(`directory: ${JSON.stringify(list)}`);
      const rounds: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(Math.max(...(await pagesOf(list))));
      times.push({ name: JSON.stringify(list), milliseconds: median(rounds) });
    }
    await database.close();
    const slowest = times.toSorted((time, other) => other.milliseconds - time.milliseconds).slice(0, 3);
    return [
      atMost(50, {
        row: `slowest page of the directory of ${users} users`,
        unit: 'ms',
        product: slowest[0]?.milliseconds ?? 0,
        note: slowest.map(({ name, milliseconds }) => `${milliseconds.toFixed(1)} ms of ${name}`).join(', '),
      }),
    ];
  });
