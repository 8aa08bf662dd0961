import type { Account } from '../../core/accounts/account.ts';
import {
  type Directory,
  type DirectoryFilter,
  type DirectoryPosition,
  leadOf,
  type SearchFilter,
  type SearchPosition,
} from '../../core/accounts/directory.ts';
import { accountsTable } from './account-store.ts';
import { type Database, integer, type Row, type Scalar, text } from './database.ts';
import type { Dialect } from './dialect.ts';
import { makeVerifyCounts } from './verify-kept-counts.ts';

// Limits of one statement, so that none blocks the event loop for more than milliseconds.

/** Rows that it skips or counts. */
const STEP = 5_000;
/** Rows that it searches. */
const SEARCH_STEP = 1_000;
/** Accounts that it returns. */
const PAGE = 50;

/** Sorts after every character of an email. */
const LAST = '\u{10ffff}';

/** A condition and its parameters. The SQL never comes from input. */
type Clause = readonly [sql: string, params: readonly Scalar[]];
type Condition = keyof DirectoryFilter;

/** A tombstone, which is what stays of a deleted account, has no email. */
const LISTED = 'email IS NOT NULL';

/**
 * Each condition in two forms. The leading form matches the index that the query follows, which has no tombstones: a partial
 * index, or for `email` the unique one. The form for a further condition matches no index of SQLite.
 */
const conditionsIn = ({ unindexed }: Dialect) =>
  ({
    email: ['email = ?', `${unindexed('email')} = ?`],
    // Both bounds, though `orderOf` has them as well: on a later page the caller's position replaces the lower bound of
    // `orderOf`, and a position of another search may lie before all emails of this search.
    emailBegins: [
      `${unindexed('email')} >= ? AND ${unindexed('email')} < ?`,
      `${unindexed('email')} >= ? AND ${unindexed('email')} < ?`,
    ],
    operator: ['operator = 1', `${unindexed('operator')} = 1`],
    bannedAt: ['banned_until > 0 AND banned_until > ?', `${unindexed('banned_until')} > ?`],
    disabledAt: ['disabled_until > 0 AND disabled_until > ?', `${unindexed('disabled_until')} > ?`],
    twoFactor: ['two_factor = 1', `${unindexed('two_factor')} = 1`],
    premium: ['premium = 1', `${unindexed('premium')} = 1`],
    unverified: ['unverified_since IS NOT NULL', 'verified = 0'],
    tier: [`${LISTED} AND tier = ?`, `${unindexed('tier')} = ?`],
  }) satisfies Record<Condition, readonly [leading: string, further: string]>;

const boundsOf = (emailBegins: string) => [text(emailBegins), `${text(emailBegins)}${LAST}`] as const;

const paramsOf = ({ email, emailBegins, tier, bannedAt, disabledAt }: DirectoryFilter) => ({
  ...(email !== undefined && { email: [text(email)] }),
  ...(emailBegins !== undefined && { emailBegins: boundsOf(emailBegins) }),
  ...(tier !== undefined && { tier: [text(tier)] }),
  ...(bannedAt !== undefined && { bannedAt: [integer(bannedAt)] }),
  ...(disabledAt !== undefined && { disabledAt: [integer(disabledAt)] }),
});

const clauseOf = (filter: DirectoryFilter, dialect: Dialect): Clause => {
  const conditions = conditionsIn(dialect);
  const params: Partial<Record<Condition, readonly Scalar[]>> = paramsOf(filter);
  const names = (Object.keys(conditions) as Condition[]).filter((name) => filter[name] !== undefined);
  if (names.length === 0) return [LISTED, []];
  // A whole email is rarer than any condition that `leadOf` chooses.
  const leading = filter.email === undefined ? leadOf(filter).lead : { email: filter.email };
  const clauses = names.map((name) => {
    const [leadingForm, furtherForm] = conditions[name];
    return name in leading ? leadingForm : furtherForm;
  });
  return [clauses.join(' AND '), names.flatMap((name) => params[name] ?? [])];
};

/**
 * The order of a list. A condition for a position replaces the bound on its side: of two bounds on one side SQLite follows only
 * the first, and scans to the other.
 */
interface Order {
  /** The columns that order the list. */
  readonly columns: readonly string[];
  readonly orderBy: string;
  /** The bounds at the beginning and at the end of the list. */
  readonly first: Clause;
  readonly last: Clause;
  /** The rows behind a position, in place of `first`. */
  readonly behind: string;
  /** The rows up to a position, in place of `last`. */
  readonly upTo: string;
}

const orderOf = ({ emailBegins }: DirectoryFilter): Order => {
  if (emailBegins === undefined)
    return {
      columns: ['created_at', 'id'],
      orderBy: 'ORDER BY created_at DESC, id DESC',
      first: ['true', []],
      last: ['true', []],
      behind: '(created_at, id) < (?, ?)',
      upTo: '(created_at, id) >= (?, ?)',
    };
  const [first, last] = boundsOf(emailBegins);
  return {
    columns: ['email'],
    orderBy: 'ORDER BY email',
    first: ['email >= ?', [first]],
    last: ['email < ?', [last]],
    behind: 'email > ?',
    upTo: 'email <= ?',
  };
};

/** The values of an order's columns for one account. */
type ColumnValues = readonly Scalar[];

/** The position of a search as values of its order's columns. */
const columnValuesOf = (
  { emailBegins }: SearchFilter,
  position: SearchPosition | null,
): ColumnValues | null => {
  if (position === null) return null;
  if (emailBegins !== undefined) return [text(position as string)];
  const { createdAt, id } = position as DirectoryPosition;
  return [integer(createdAt), text(id)];
};

/** The inverse of `columnValuesOf`. */
const searchPositionOf = ([first, id]: ColumnValues): SearchPosition =>
  id === undefined ? String(first) : { createdAt: Number(first), id: String(id) };

const makeList = ({ read, dialect }: Pick<Database, 'read' | 'dialect'>, filter: DirectoryFilter) => {
  const [where, params] = clauseOf(filter, dialect);
  const { columns, orderBy, first, last, behind, upTo } = orderOf(filter);
  /** The accounts of the list after a position, up to an end. */
  const between = (after: ColumnValues | null, end: ColumnValues | null): Clause => {
    const [begins, beginsParams] = after === null ? first : [behind, after];
    const [ends, endsParams] = end === null ? last : [upTo, end];
    return [
      `FROM accounts WHERE ${where} AND ${begins} AND ${ends}`,
      [...params, ...beginsParams, ...endsParams],
    ];
  };
  const positionOf = (row: Row): ColumnValues => columns.map((column) => row[column] ?? null);
  const rows = (selection: string, [source, sourceParams]: Clause, limit: number, offset: number) =>
    read.all(`SELECT ${selection} ${source} ${orderBy} LIMIT ? OFFSET ?`, [...sourceParams, limit, offset]);
  /** The position `count` accounts further on; undefined if fewer accounts follow. */
  const step = async (after: ColumnValues | null, count: number): Promise<ColumnValues | undefined> => {
    const [row] = await rows(columns.join(', '), between(after, null), 1, count - 1);
    return row && positionOf(row);
  };

  return {
    step,
    /** The accounts behind a position, up to an end. */
    page: async (
      after: ColumnValues | null,
      limit: number,
      { skip = 0, end = null }: { skip?: number; end?: ColumnValues | null } = {},
    ) => {
      const accounts: Account[] = [];
      let position = after;
      while (accounts.length < limit) {
        const size = Math.min(PAGE, limit - accounts.length);
        const skipped = accounts.length === 0 ? skip : 0;
        const pageRows = await rows([...columns, 'doc'].join(', '), between(position, end), size, skipped);
        accounts.push(...pageRows.map(accountsTable.record));
        const lastRow = pageRows.at(-1);
        if (lastRow === undefined || pageRows.length < size) break;
        position = positionOf(lastRow);
      }
      return accounts;
    },
    /** How many accounts follow. Only called where fewer than `STEP` do, since one statement counts them all. */
    rest: async (after: ColumnValues | null): Promise<number> => {
      const [source, sourceParams] = between(after, null);
      const row = await read.get(`SELECT count(*) AS count ${source}`, sourceParams);
      return Number(row?.count ?? 0);
    },
  };
};

/** Searches in parts of `SEARCH_STEP` accounts of the leading index; in one page if the leading condition is the whole filter. */
const makeSearch =
  (database: Pick<Database, 'read' | 'dialect'>): Directory['search'] =>
  async (filter, after, limit, maxReads) => {
    const { lead, isWhole } = leadOf(filter);
    const most = integer(limit);
    const list = makeList(database, filter);
    let position = columnValuesOf(filter, after);
    if (isWhole) return { accounts: await list.page(position, most), searchedTo: null };
    // Both lists have the same order, and so the same positions: `emailBegins` leads wherever it is a condition.
    const leadList = makeList(database, lead);
    const accounts: Account[] = [];
    for (let remaining = integer(maxReads); remaining > 0; remaining -= SEARCH_STEP) {
      const end = await leadList.step(position, Math.min(SEARCH_STEP, remaining));
      accounts.push(...(await list.page(position, most - accounts.length, { end: end ?? null })));
      // A full page needs no position: the caller continues behind its last account.
      if (end === undefined || accounts.length === most) return { accounts, searchedTo: null };
      position = end;
    }
    return { accounts, searchedTo: position && searchPositionOf(position) };
  };

const COUNTS = `
  SELECT tier, sum(accounts) AS accounts, sum(accounts * premium) AS premium, sum(accounts * verified) AS verified,
    sum(accounts * two_factor) AS two_factor
  FROM account_counts GROUP BY tier HAVING sum(accounts) > 0`;
const BLOCKED = `
  SELECT (SELECT count(*) FROM accounts WHERE banned_until > 0 AND banned_until > ?1) AS banned,
    (SELECT count(*) FROM accounts WHERE disabled_until > 0 AND disabled_until > ?1) AS disabled`;

/** Lists and counts the accounts, in steps, so that other requests run in between. */
export const makeSqlDirectory = (database: Database): Directory => {
  const { read } = database;
  /** The count that triggers maintain; undefined for a filter with other conditions than the tier. */
  const keptCount = async (filter: DirectoryFilter): Promise<number | undefined> => {
    const { tier, ...rest } = filter;
    if (Object.values(rest).some((condition) => condition !== undefined)) return undefined;
    // The tier is compared here and is no parameter of the statement, so nothing else refuses a value of another type.
    if (tier !== undefined) text(tier);
    const rows = (await read.all(COUNTS, [])).filter((row) => tier === undefined || row.tier === tier);
    return rows.reduce((sum, { accounts }) => sum + Number(accounts), 0);
  };

  return {
    list: async (filter, start, limit) => {
      const list = makeList(database, filter);
      const most = integer(limit);
      // A filter with `emailBegins` comes without `after`: only `search` continues in the order of emails.
      if ('after' in start) return list.page([integer(start.after.createdAt), text(start.after.id)], most);
      let position: ColumnValues | null = null;
      let skip = integer(start.skip);
      // A far offset is compared with the count first, so that one beyond the end does not step through the whole list.
      const count = skip < STEP ? undefined : await keptCount(filter);
      if (count !== undefined && skip >= count) return [];
      for (; skip >= STEP; skip -= STEP) {
        const next = await list.step(position, STEP);
        if (next === undefined) return [];
        position = next;
      }
      return list.page(position, most, { skip });
    },
    search: makeSearch(database),
    count: async (filter) => {
      const kept = await keptCount(filter);
      if (kept !== undefined) return kept;
      const list = makeList(database, filter);
      let count = 0;
      let position: ColumnValues | null = null;
      for (;;) {
        const next: ColumnValues | undefined = await list.step(position, STEP);
        if (next === undefined) return count + (await list.rest(position));
        count += STEP;
        position = next;
      }
    },
    stats: async (now) => {
      const blocked = await read.get(BLOCKED, [integer(now)]);
      const rows = await read.all(COUNTS, []);
      const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
      return {
        total: sum('accounts'),
        premium: sum('premium'),
        byTier: Object.fromEntries(rows.map((row) => [String(row.tier), Number(row.accounts)])),
        verified: sum('verified'),
        twoFactor: sum('two_factor'),
        banned: Number(blocked?.banned ?? 0),
        disabled: Number(blocked?.disabled ?? 0),
      };
    },
    // Nothing to do: every count is exact.
    recount: async () => undefined,
    verifyCounts: makeVerifyCounts(database),
  };
};
