import { setImmediate } from 'node:timers/promises';
import type { Account } from '../../core/accounts/account.ts';
import type { Directory, DirectoryFilter } from '../../core/accounts/directory.ts';
import { accountsTable } from './account-store.ts';
import { type Database, type Row, type Scalar, text, whole } from './engine/statements.ts';

/** Rows that one statement skips, and accounts that it reads. It blocks the event loop for some milliseconds. */
const STEP = 5_000;
const AT_ONCE = 50;

/** Sorts after every character of an email. */
const LAST = '\uffff';

/** A condition and its parameters. The SQL never comes from input. */
type Clause = readonly [sql: string, params: readonly Scalar[]];

const NO_TOMBSTONE: Clause = ['email IS NOT NULL', []];

const filtered = (filter: DirectoryFilter): Clause => {
  const { email, tier, emailBegins, bannedAt, disabledAt, unverified, operator } = filter;
  const isByEmail = email !== undefined || emailBegins !== undefined;
  // Each condition matches its partial index, which has no tombstones. A search by email uses the index of emails instead.
  const held = (column: string, now: number): Clause => [
    isByEmail ? `${column} > ?` : `${column} > 0 AND ${column} > ?`,
    [whole(now)],
  ];
  const facts: Clause[] = [];
  if (bannedAt !== undefined) facts.push(held('banned_until', bannedAt));
  if (disabledAt !== undefined) facts.push(held('disabled_until', disabledAt));
  if (unverified) facts.push([isByEmail ? 'verified = 0' : 'unverified_since IS NOT NULL', []]);
  if (operator) facts.push([isByEmail ? '+operator = 1' : 'operator = 1', []]);

  const clauses = isByEmail || facts.length === 0 ? [NO_TOMBSTONE, ...facts] : facts;
  if (email !== undefined) clauses.push(['email = ?', [text(email)]]);
  if (emailBegins !== undefined) {
    clauses.push(['email >= ? AND email < ?', [text(emailBegins), `${text(emailBegins)}${LAST}`]]);
  }
  if (tier !== undefined) clauses.push(['tier = ?', [text(tier)]]);
  return [clauses.map(([sql]) => sql).join(' AND '), clauses.flatMap(([, params]) => params)];
};

/** The columns that a list is ordered by, and the condition for rows that come after a place. */
interface Order {
  readonly columns: readonly string[];
  readonly sql: string;
  readonly behind: string;
}

const BY_TIME: Order = {
  columns: ['created_at', 'id'],
  sql: 'ORDER BY created_at DESC, id DESC',
  behind: '(created_at, id) < (?, ?)',
};
const BY_EMAIL: Order = { columns: ['email'], sql: 'ORDER BY email', behind: 'email > ?' };

/** The values of these columns for one account. */
type Place = readonly Scalar[];

/** The accounts of a list that come after a place. */
const makeList = ({ read }: Pick<Database, 'read'>, filter: DirectoryFilter) => {
  const [where, params] = filtered(filter);
  const { columns, sql, behind } = filter.emailBegins === undefined ? BY_TIME : BY_EMAIL;
  const placeOf = (row: Row): Place => columns.map((column) => row[column] ?? null);
  const rows = (what: string, after: Place | null, limit: number, offset: number) => {
    const from = `FROM accounts WHERE ${where}${after === null ? '' : ` AND ${behind}`}`;
    return read.all(`SELECT ${what} ${from} ${sql} LIMIT ? OFFSET ?`, [
      ...params,
      ...(after ?? []),
      limit,
      offset,
    ]);
  };

  return {
    placeOf,
    page: (after: Place | null, limit: number, offset: number) =>
      rows([...columns, 'doc'].join(', '), after, limit, offset),
    /** The place `STEP` accounts further on; undefined when there are fewer. */
    step: async (after: Place | null): Promise<Place | undefined> => {
      await setImmediate();
      const [row] = rows(columns.join(', '), after, 1, STEP - 1);
      return row && placeOf(row);
    },
    /** How many there are, if fewer than a step. */
    rest: (after: Place | null): number => {
      const from = `FROM accounts WHERE ${where}${after === null ? '' : ` AND ${behind}`}`;
      const row = read.get(`SELECT count(*) AS count ${from}`, [...params, ...(after ?? [])]);
      return Number(row?.count ?? 0);
    },
  };
};

const COUNTS = `
  SELECT tier, sum(accounts) AS accounts, sum(accounts * premium) AS premium, sum(accounts * verified) AS verified,
    sum(accounts * two_factor) AS two_factor
  FROM account_counts WHERE accounts > 0 GROUP BY tier`;
const HELD = `
  SELECT (SELECT count(*) FROM accounts WHERE banned_until > 0 AND banned_until > ?1) AS banned,
    (SELECT count(*) FROM accounts WHERE disabled_until > 0 AND disabled_until > ?1) AS disabled`;

/** Lists and counts the accounts of the embedded store. It goes in steps, so that other requests run in between. */
export const makeSqliteDirectory = ({ read }: Database): Directory => {
  /** The count that triggers keep; undefined for a filter by anything but the tier. */
  const countedOf = (filter: DirectoryFilter): number | undefined => {
    const { tier, ...rest } = filter;
    if (Object.values(rest).some((condition) => condition !== undefined)) return undefined;
    if (tier !== undefined) text(tier);
    const rows = read.all(COUNTS, []).filter((row) => tier === undefined || row.tier === tier);
    return rows.reduce((sum, { accounts }) => sum + Number(accounts), 0);
  };

  return {
    list: async (filter, start, limit) => {
      const list = makeList({ read }, filter);
      const most = whole(limit);
      let place: Place | null = null;
      let skip = 0;
      if ('after' in start) place = [whole(start.after.createdAt), text(start.after.id)];
      else skip = whole(start.skip);
      if (skip >= STEP && skip >= (countedOf(filter) ?? skip + 1)) return [];
      for (; skip >= STEP; skip -= STEP) {
        const next = await list.step(place);
        if (next === undefined) return [];
        place = next;
      }
      const found: Account[] = [];
      while (found.length < most) {
        const limit = Math.min(AT_ONCE, most - found.length);
        const rows = list.page(place, limit, skip);
        found.push(...rows.map(accountsTable.record));
        const last = rows.at(-1);
        if (last === undefined || rows.length < limit) break;
        place = list.placeOf(last);
        skip = 0;
        await setImmediate();
      }
      return found;
    },
    count: async (filter) => {
      const counted = countedOf(filter);
      if (counted !== undefined) return counted;
      const list = makeList({ read }, filter);
      let count = 0;
      let place: Place | null = null;
      for (;;) {
        const next: Place | undefined = await list.step(place);
        if (next === undefined) return count + list.rest(place);
        count += STEP;
        place = next;
      }
    },
    stats: async (now) => {
      const held = read.get(HELD, [whole(now)]);
      const rows = read.all(COUNTS, []);
      const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
      return {
        total: sum('accounts'),
        premium: sum('premium'),
        byTier: Object.fromEntries(rows.map((row) => [String(row.tier), Number(row.accounts)])),
        verified: sum('verified'),
        twoFactor: sum('two_factor'),
        banned: Number(held?.banned ?? 0),
        disabled: Number(held?.disabled ?? 0),
      };
    },
    // Every count is exact.
    recount: async () => undefined,
  };
};
