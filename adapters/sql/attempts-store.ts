import { latestStart } from '../../core/accounts/account.ts';
import type { AttemptsStore } from '../../core/accounts/ports.ts';
import { decoyKey } from '../../core/accounts/throttle-keys.ts';
import { changesOf, type Database, integer, plainText, type Row, rowOf, text } from './database.ts';
import type { Dialect } from './dialect.ts';

// ?1 is the key, ?2 the time, ?3 the latest time at which a window may have begun: a later one dates from a clock that was ahead.
const FIND = 'SELECT count, first_at FROM tries WHERE key = ?1 AND ends_at > ?2 AND first_at <= ?3';
const IS_OPEN = 'tries.ends_at > ?2 AND tries.first_at <= ?3';
// ?1 to ?3 as in `FIND`; ?4 is the end of a window that begins now; ?5 is the decoy key, which nobody reads.
// `addInTurn` counts one attempt under several keys, with one statement for each key. ?6 has the keys of the earlier statements,
// with their limits. Once one of these keys is above its limit, the attempt is refused and must not count under ?1. It then
// counts under the decoy key, since a refused attempt must write as much as any other.
// `WHERE true`, as SQLite advises after a SELECT, keeps ON CONFLICT from being read as the ON of a join.
const addSql = ({ records }: Dialect) => `
  INSERT INTO tries (key, count, first_at, ends_at)
  SELECT CASE WHEN EXISTS (
    SELECT 1 FROM ${records('?6', { key: 'text', most: 'bigint' })} AS earlier
    JOIN tries AS counted ON counted.key = earlier.key
    WHERE counted.count > earlier.most
  ) THEN ?5 ELSE ?1 END, 1, ?2, ?4 WHERE true
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${IS_OPEN} THEN tries.count + 1 ELSE 1 END,
    first_at = CASE WHEN ${IS_OPEN} THEN tries.first_at ELSE ?2 END,
    ends_at = CASE WHEN ${IS_OPEN} THEN tries.ends_at ELSE ?4 END
  RETURNING count, first_at`;
// Keys that begin with ?1 lie between it and ?2.
const MOST = `
  SELECT max(count) AS most FROM tries WHERE key >= ?1 AND key < ?2 AND ends_at > ?3 AND first_at <= ?4`;
const REMOVE_UNDER = 'DELETE FROM tries WHERE key >= ?1 AND key < ?2';
// The outer condition spares a count whose key began a new window after the inner query had chosen it.
const SWEEP = `
  DELETE FROM tries WHERE ends_at <= ?1 AND key IN (
    SELECT key FROM tries WHERE ends_at <= ?1 ORDER BY ends_at LIMIT ?2)`;

/** Counts of failed attempts. */
export const makeSqlAttemptsStore = ({ read, write, dialect }: Database): AttemptsStore => {
  const ADD = addSql(dialect);
  const REMOVE = `DELETE FROM tries WHERE key IN (SELECT value FROM ${dialect.each('?')})`;

  return {
    find: async (key, now) => {
      const row = await read.get(FIND, [text(key), integer(now), latestStart(now)]);
      return row && attemptsOf(row);
    },
    add: async (key, milliseconds, now) => {
      const row = rowOf(
        await write([{ sql: ADD, params: [text(key), ...windowOf(milliseconds, now), decoyKey(key), '[]'] }]),
      );
      if (row === undefined) throw new Error('The write returned no count.');
      return attemptsOf(row);
    },
    addInTurn: async (counts, milliseconds, now) => {
      const window = windowOf(milliseconds, now);
      // `plainText`, since SQLite's JSON functions read these keys.
      const limits = counts.map(({ key, most }) => ({ key: plainText(key), most: integer(most) }));
      const outcome = await write(
        counts.map(({ key }, index) => ({
          sql: ADD,
          params: [key, ...window, decoyKey(key), JSON.stringify(limits.slice(0, index))],
        })),
      );
      const rows = outcome.done ? outcome.results.flatMap((result) => result.rows) : [];
      // The first row above its limit. The rows behind it are of the decoy key.
      const exceeded = rows.find(({ count }, index) => Number(count) > (counts[index]?.most ?? 0));
      return exceeded && attemptsOf(exceeded);
    },
    remove: async (keys) => {
      if (keys.length > 0) await write([{ sql: REMOVE, params: [JSON.stringify(keys.map(text))] }]);
    },
    most: async (prefix, now) => {
      const row = await read.get(MOST, [...rangeOf(prefix), integer(now), latestStart(now)]);
      return Number(row?.most ?? 0);
    },
    removeUnder: async (prefix) => {
      await write([{ sql: REMOVE_UNDER, params: rangeOf(prefix) }]);
    },
    sweep: async (now, limit) =>
      changesOf(await write([{ sql: SWEEP, params: [integer(now), integer(limit)] }])),
  };
};

const windowOf = (milliseconds: number, now: number) =>
  [integer(now), latestStart(now), now + integer(milliseconds)] as const;

/** The range of keys that begin with the prefix: no key has a character beyond the last one of Unicode. */
const rangeOf = (prefix: string): [string, string] => [text(prefix), `${prefix}\u{10ffff}`];

const attemptsOf = (row: Row) => ({ count: Number(row.count), firstAt: Number(row.first_at) });
