import type { Account } from '../../core/accounts/account.ts';
import type { Directory, DirectoryFilter, DirectoryStart } from '../../core/accounts/directory.ts';
import type { Database } from './database.ts';
import { documents } from './documents.ts';
import { text, whole } from './scalars.ts';
import type { Scalar } from './unit.ts';

const ORDER = 'ORDER BY created_at DESC, id DESC';

/** Conditions and their parameters; the texts are all ours. A tombstone has no email. */
type Clause = readonly [sql: string, params: readonly Scalar[]];

const filtered = ({ email, tier }: DirectoryFilter): Clause => {
  const conditions = ['email IS NOT NULL'];
  const params: Scalar[] = [];
  if (email !== undefined) {
    conditions.push('email = ?');
    params.push(text(email));
  }
  if (tier !== undefined) {
    conditions.push('tier = ?');
    params.push(text(tier));
  }
  return [conditions.join(' AND '), params];
};

const paged = (filter: DirectoryFilter, start: DirectoryStart, limit: number): Clause => {
  const [where, params] = filtered(filter);
  if ('skip' in start) {
    return [`${where} ${ORDER} LIMIT ? OFFSET ?`, [...params, whole(limit), whole(start.skip)]];
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
