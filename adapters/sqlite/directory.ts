import type { Account } from '../../core/accounts/account.ts';
import type { Directory, DirectoryFilter, DirectoryStart } from '../../core/accounts/directory.ts';
import type { Database } from './database.ts';
import { documents } from './documents.ts';
import { text, whole } from './scalars.ts';
import type { Scalar } from './unit.ts';

const ORDER = 'ORDER BY created_at DESC, id DESC';

/** Behind every character of an email. */
const LAST = '\uffff';

/** Conditions and their parameters; the texts are all ours. */
type Clause = readonly [sql: string, params: readonly Scalar[]];

const NO_TOMBSTONE: Clause = ['email IS NOT NULL', []];

const filtered = (filter: DirectoryFilter): Clause => {
  const { email, tier, emailBegins, bannedAt, disabledAt, unverified, operator } = filter;
  const isByEmail = email !== undefined || emailBegins !== undefined;
  // Each names its partial index, in which no tombstone is; but where emails are looked for, theirs is to be used.
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

const paged = (filter: DirectoryFilter, start: DirectoryStart, limit: number): Clause => {
  const [where, params] = filtered(filter);
  if ('skip' in start) {
    const order = filter.emailBegins === undefined ? ORDER : 'ORDER BY email';
    return [`${where} ${order} LIMIT ? OFFSET ?`, [...params, whole(limit), whole(start.skip)]];
  }
  const { createdAt, id } = start.after;
  return [
    `${where} AND (created_at, id) < (?, ?) ${ORDER} LIMIT ?`,
    [...params, whole(createdAt), text(id), whole(limit)],
  ];
};

const STATS = `
  SELECT tier, count(*) AS accounts, sum(premium) AS premium, sum(verified) AS verified,
    sum(two_factor) AS two_factor, sum(banned_until > ?1) AS banned, sum(disabled_until > ?1) AS disabled
  FROM accounts WHERE email IS NOT NULL GROUP BY tier`;

/** Looks over the accounts of the embedded store. */
export const makeSqliteDirectory = ({ read }: Database): Directory => ({
  list: async (filter, start, limit) => {
    const [clause, params] = paged(filter, start, limit);
    return documents<Account>(read.all(`SELECT doc FROM accounts WHERE ${clause}`, params));
  },
  count: async (filter) => {
    const [clause, params] = filtered(filter);
    return Number(read.get(`SELECT count(*) AS count FROM accounts WHERE ${clause}`, params)?.count ?? 0);
  },
  stats: async (now) => {
    const rows = read.all(STATS, [whole(now)]);
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    return {
      total: sum('accounts'),
      premium: sum('premium'),
      byTier: Object.fromEntries(rows.map((row) => [String(row.tier), Number(row.accounts)])),
      verified: sum('verified'),
      twoFactor: sum('two_factor'),
      banned: sum('banned'),
      disabled: sum('disabled'),
    };
  },
});
