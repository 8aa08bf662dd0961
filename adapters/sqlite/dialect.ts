import type { Dialect } from '../sql/dialect.ts';

const membersOf = (json: string, members: readonly string[]): string =>
  `(SELECT ${members.map((member) => `value ->> '${member}' AS ${member}`).join(', ')} FROM json_each(${json}))`;

/** SQL of SQLite. */
export const sqliteDialect: Dialect = {
  each: (json) => `json_each(${json})`,
  records: (json, members) => membersOf(json, Object.keys(members)),
  rows: (json, _table, columns) => membersOf(json, columns),
  withMembers: (json, members) => {
    const pairs = Object.entries(members).map(([member, value]) => `'$.${member}', ${value}`);
    return `json_set(${json}, ${pairs.join(', ')})`;
  },
  greatest: 'max',
  least: 'min',
  // SQLite uses no index for an expression with a unary plus.
  unindexed: (column) => `+${column}`,
  // SQLite runs units of work one by one, so none needs a lock against another.
  lock: null,
  now: "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
};
