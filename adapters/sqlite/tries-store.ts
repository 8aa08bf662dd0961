import { CLOCK_SET_BACK } from '../../core/accounts/policy.ts';
import type { TriesStore } from '../../core/accounts/ports.ts';
import { changesOf, type Database, plainText, type Row, rowOf, text, whole } from './engine/statements.ts';

// ?1 is the key, ?2 the time, ?3 the latest time at which a window may have begun: a later one was counted before the
// clock was set back, and would hold an account for as long as the clock was ahead.
const FIND = 'SELECT count, first_at FROM tries WHERE key = ?1 AND ends_at > ?2 AND first_at <= ?3';
// The same, ?4 the end of a window that begins now, and ?5 the pairs of key and greatest count that come before this key.
// Those up to the first that is above it were counted just now; what the others hold does not matter then.
const ADD = `
  INSERT INTO tries (key, count, first_at, ends_at)
  SELECT CASE WHEN EXISTS (
    SELECT 1 FROM json_each(?5) AS earlier
    JOIN tries AS counted ON counted.key = earlier.value ->> 0
    WHERE counted.count > earlier.value ->> 1
  ) THEN 'nobody:' || ?1 ELSE ?1 END, 1, ?2, ?4 WHERE true
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ends_at > ?2 AND first_at <= ?3 THEN count + 1 ELSE 1 END,
    first_at = CASE WHEN ends_at > ?2 AND first_at <= ?3 THEN first_at ELSE ?2 END,
    ends_at = CASE WHEN ends_at > ?2 AND first_at <= ?3 THEN ends_at ELSE ?4 END
  RETURNING count, first_at`;
const REMOVE = 'DELETE FROM tries WHERE key IN (SELECT value FROM json_each(?))';
// Keys that begin with ?1 lie between it and ?2.
const MOST = `
  SELECT max(count) AS most FROM tries WHERE key >= ?1 AND key < ?2 AND ends_at > ?3 AND first_at <= ?4`;
const REMOVE_UNDER = 'DELETE FROM tries WHERE key >= ?1 AND key < ?2';
const SWEEP = `
  DELETE FROM tries WHERE key IN (SELECT key FROM tries WHERE ends_at <= ? ORDER BY ends_at LIMIT ?)`;

/** Counts of wrong tries in the embedded store. */
export const makeSqliteTriesStore = ({ read, write }: Database): TriesStore => ({
  find: async (key, now) => {
    const row = read.get(FIND, [text(key), whole(now), now + CLOCK_SET_BACK]);
    return row && triesOf(row);
  },
  add: async (key, milliseconds, now) => {
    const row = rowOf(await write([{ sql: ADD, params: [text(key), ...windowOf(milliseconds, now), '[]'] }]));
    if (row === undefined) throw new Error('A count was not given back.');
    return triesOf(row);
  },
  addInTurn: async (counts, milliseconds, now) => {
    const window = windowOf(milliseconds, now);
    const pairs = counts.map(({ key, most }) => [plainText(key), whole(most)]);
    const outcome = await write(
      counts.map(({ key }, place) => ({
        sql: ADD,
        params: [key, ...window, JSON.stringify(pairs.slice(0, place))],
      })),
    );
    const rows = outcome.done ? outcome.results.flatMap((result) => result.rows) : [];
    const over = rows.find(({ count }, place) => Number(count) > (counts[place]?.most ?? 0));
    return over && triesOf(over);
  },
  remove: async (keys) => {
    if (keys.length > 0) await write([{ sql: REMOVE, params: [JSON.stringify(keys.map(text))] }]);
  },
  most: async (prefix, now) => {
    const row = read.get(MOST, [...under(prefix), whole(now), now + CLOCK_SET_BACK]);
    return Number(row?.most ?? 0);
  },
  removeUnder: async (prefix) => {
    await write([{ sql: REMOVE_UNDER, params: under(prefix) }]);
  },
  sweep: async (now, limit) => changesOf(await write([{ sql: SWEEP, params: [whole(now), whole(limit)] }])),
});

const windowOf = (milliseconds: number, now: number) =>
  [whole(now), now + CLOCK_SET_BACK, now + whole(milliseconds)] as const;

/** The range of keys that begin with the prefix: no key has a character beyond the last one of Unicode. */
const under = (prefix: string): [string, string] => [text(prefix), `${prefix}\u{10ffff}`];

const triesOf = (row: Row) => ({ count: Number(row.count), firstAt: Number(row.first_at) });
