import type { Dialect } from '../sql/dialect.ts';

export const postgresqlDialect: Dialect & { readonly lock: string } = {
  each: (json) => `json_array_elements_text(CAST(${json} AS json)) WITH ORDINALITY AS element (value, key)`,
  records: (json, members) => {
    const columns = Object.entries(members).map(([member, type]) => `${member} ${type}`);
    return `(SELECT * FROM json_to_recordset(CAST(${json} AS json)) AS record (${columns.join(', ')}))`;
  },
  rows: (json, table) => `json_populate_recordset(CAST(NULL AS ${table}), CAST(${json} AS json))`,
  withMembers: (json, members) => {
    const pairs = Object.entries(members).map(([member, value]) => `'${member}', ${value}`);
    return `CAST(CAST(${json} AS jsonb) || jsonb_build_object(${pairs.join(', ')}) AS json)`;
  },
  greatest: 'greatest',
  least: 'least',
  // No hint against an index is needed: the planner knows what an index costs.
  unindexed: (column) => column,
  lock: 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))',
  // Milliseconds, cut to a whole second as in the dialect of SQLite.
  now: 'floor(extract(epoch FROM clock_timestamp()))::bigint * 1000',
};
