import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import type { Scalar } from '../../../adapters/sql/database.ts';
import { makeSqlDirectory } from '../../../adapters/sql/directory.ts';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import type { Account } from '../../../core/accounts/account.ts';
import type { Directory, DirectoryFilter, DirectoryStart } from '../../../core/accounts/directory.ts';
import { race } from '../../contracts/race.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { noting } from '../sql/noting.ts';
import { explain } from './plans/plans.ts';

const MANY = 25_000;
const PAGE = 50;
const TIERS = ['free', 'free', 'free', 'pro-lite', 'pro', 'enterprise'];

/** Milliseconds that each call takes, the middle one of many rounds in which they take turns. */
const timesOf = async (...calls: (() => Promise<unknown>)[]): Promise<readonly number[]> => {
  const times = calls.map((): number[] => []);
  for (let round = 0; round < 41; round += 1) {
    for (const [at, call] of calls.entries()) {
      const startedAt = performance.now();
      await call();
      times[at]?.push(performance.now() - startedAt);
    }
  }
  return times.map((ones) => ones.toSorted((a, b) => a - b)[20] ?? 0);
};

describe('The SQLite directory of 25,000 accounts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  let database: EmbeddedDatabase;
  let directory: Directory;
  const queries: { readonly sql: string; readonly params: readonly Scalar[] }[] = [];

  before(async () => {
    database = openDatabase({ folder });
    directory = makeSqlDirectory(noting(database, (statement) => queries.push(statement)));
    const accounts = makeSqlAccountStore(database);
    for (let added = 0; added < MANY; added += 5_000) {
      await race(5_000, (place) => {
        const number = added + place;
        const tier = TIERS[number % TIERS.length] ?? 'free';
        return accounts.add(
          sampleAccount(`user${number}`, {
            createdAt: NOW + Math.floor(number / 3),
            access: { tier, isPremium: tier !== 'free' },
            verified: number % 10 !== 0,
          }),
        );
      });
    }
  });

  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How SQLite goes about each statement of the call. */
  const plansOf = async (call: () => Promise<unknown>): Promise<readonly string[]> => {
    queries.length = 0;
    await call();
    return Promise.all(
      queries.map(async ({ sql, params }) => (await explain(database.read, sql, params)).join('; ')),
    );
  };
  const planOf = async (call: () => Promise<unknown>): Promise<string> => {
    const [plan = '', ...others] = await plansOf(call);
    expect(others).to.deep.equal([]);
    return plan;
  };
  const page = (start: DirectoryStart, filter = {}) => directory.list(filter, start, PAGE);
  const lastStart = async (): Promise<DirectoryStart> => {
    const [account] = await directory.list({}, { skip: MANY - PAGE - 1 }, 1);
    return { after: account as Account };
  };

  it('reads a page from the index of the list in its order, from the beginning or a position on', async () => {
    expect(await planOf(() => page({ skip: 0 }))).to.equal('SCAN accounts USING INDEX accounts_listed');
    expect(await planOf(() => page({ after: { createdAt: NOW, id: 'user7' } }))).to.match(
      /^SEARCH accounts USING INDEX accounts_listed \(.*created_at.*\)$/,
    );
  });

  it('reads the page of a tier from the index of tiers, and an email from that of emails', async () => {
    expect(await planOf(() => page({ skip: 0 }, { tier: 'pro' }))).to.match(
      /^SEARCH accounts USING INDEX accounts_by_tier \(tier=\?\)$/,
    );
    expect(await planOf(() => page({ after: { createdAt: NOW, id: 'a' } }, { tier: 'pro' }))).to.match(
      /^SEARCH accounts USING INDEX accounts_by_tier \(tier=\? AND .*created_at.*\)$/,
    );
    for (const filter of [{ email: 'a@example.com' }, { email: 'a@example.com', tier: 'pro' }]) {
      expect(await planOf(() => page({ skip: 0 }, filter))).to.match(
        / USING INDEX \w*autoindex\w* \(email=\?\)/,
      );
    }
  });

  it('reads each list of what is the matter with accounts from an index that has its order', async () => {
    const indexes = {
      accounts_banned: { bannedAt: NOW },
      accounts_disabled: { disabledAt: NOW },
      accounts_unverified_listed: { unverified: true },
      accounts_operators: { operator: true },
      accounts_two_factor: { twoFactor: true },
      accounts_premium: { premium: true },
    } as const;
    for (const [index, filter] of Object.entries(indexes)) {
      expect(await planOf(() => page({ skip: 0 }, filter))).to.equal(`SCAN accounts USING INDEX ${index}`);
      expect(await planOf(() => page({ after: { createdAt: NOW, id: 'a' } }, filter))).to.match(
        new RegExp(`^SEARCH accounts USING INDEX ${index} `),
      );
      // Either index of the unverified holds them alone.
      for (const plan of await plansOf(() => directory.count(filter))) {
        expect(plan).to.include(index.replace('_listed', ''));
      }
    }
  });

  it('reads the beginning of emails from their index, in its order, whatever else is asked for', async () => {
    const emailBegins = 'user1';
    const others: readonly DirectoryFilter[] = [
      {},
      { bannedAt: NOW },
      { unverified: true },
      { operator: true, disabledAt: NOW },
    ];
    for (const more of others) {
      const filter = { emailBegins, ...more };
      const plan = / USING (?:COVERING )?INDEX \w*autoindex\w* \(email>\? AND email<\?\)$/;
      expect(await planOf(() => page({ skip: 0 }, filter))).to.match(plan);
      const counting = await plansOf(() => directory.count(filter));
      // Each step goes on behind the one before.
      for (const [place, step] of counting.entries()) {
        expect(step).to.match(place === 0 ? plan : / INDEX \w*autoindex\w* \(email>\?/);
      }
    }
  });

  it('counts what the writes have counted, and restrictions in their own indexes', async () => {
    const scan = 'SCAN account_counts';
    expect(await plansOf(() => directory.count({}))).to.deep.equal([scan]);
    expect(await plansOf(() => directory.count({ tier: 'pro' }))).to.deep.equal([scan]);
    const [blocked, counts] = await plansOf(() => directory.stats(NOW));
    expect(counts).to.equal(scan);
    expect(blocked?.match(/accounts USING COVERING INDEX \w+/g)).to.deep.equal([
      'accounts USING COVERING INDEX accounts_banned',
      'accounts USING COVERING INDEX accounts_disabled',
    ]);
  });

  it('skips over many in steps, each read from an index alone', async () => {
    for (const [index, filter] of Object.entries({ listed: {}, by_tier: { tier: 'free' } })) {
      const plans = await plansOf(() => page({ skip: 12_000 }, filter));
      expect(plans).to.have.length(4);
      const steps = plans.slice(1, 3).join('; ');
      expect(steps.match(new RegExp(`USING COVERING INDEX accounts_${index}\\b`, 'g'))).to.have.length(2);
    }
    const ids = async (skip: number) => (await page({ skip })).map(({ id }) => id);
    expect(await ids(20_000)).to.deep.equal([
      ...(await ids(19_990)).slice(10),
      ...(await ids(20_040)).slice(0, 10),
    ]);
    expect(await page({ skip: MANY })).to.deep.equal([]);
  });

  it('gives the last page by its position as fast as the first', async () => {
    const start = await lastStart();
    expect(await page(start)).to.have.length(PAGE);
    const [first = 0, last = 0] = await timesOf(
      () => page({ skip: 0 }),
      () => page(start),
    );
    expect(last / first).to.be.below(3);
  });

  it('counts as exactly as if it counted rows', async () => {
    const { total, byTier, verified, premium } = await directory.stats(NOW);
    const [rows] = await database.read.all(
      'SELECT count(*) AS total, sum(verified) AS verified, sum(premium) AS premium FROM accounts',
      [],
    );
    expect({ total, verified, premium }).to.deep.equal(rows);
    expect(Object.values(byTier).reduce((sum, count) => sum + count, 0)).to.equal(MANY);
  });
});
