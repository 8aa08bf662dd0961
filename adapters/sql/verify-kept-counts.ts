import type { WrongCount } from '../../core/accounts/directory.ts';
import type { Database, Row, Unit } from './database.ts';

/** A table of counts that triggers keep. */
interface KeptCount {
  /** The table whose rows are counted. */
  readonly table: 'accounts' | 'files';
  readonly countsTable: string;
  /** The columns of the counts, with expressions over the counted rows. */
  readonly groups: Readonly<Record<string, string>>;
  readonly sums: Readonly<Record<string, string>>;
  readonly where: string;
}

const KEPT: readonly KeptCount[] = [
  {
    table: 'accounts',
    countsTable: 'account_counts',
    groups: { tier: 'tier', premium: 'premium', verified: 'verified', two_factor: 'two_factor' },
    sums: { accounts: 'count(*)' },
    where: 'email IS NOT NULL',
  },
  {
    table: 'files',
    countsTable: 'file_counts',
    // By master key; '' for wrapped keys of an unknown format. Sizes in two parts: the sum of large sizes may exceed 64 bits.
    groups: { key_id: "coalesce(key_id, '')" },
    sums: { files: 'count(*)', sizes_high: 'sum(size >> 32)', sizes_low: 'sum(size & 4294967295)' },
    where: 'removed = 0',
  },
];

/** Rows that one unit of work counts. Writes that change a count wait for it. */
const PAGE = 1_000;
/** Sorts after every id. */
const LAST = '\u{10ffff}';
/**
 * Rows over which a count is spread, so that parallel writes seldom wait for one row. Lanes 0 to 15 are of one generation, 16 to
 * 31 of the other (see `makeVerifyCounts`).
 */
const LANES = 16;

const FIND = 'SELECT counted_to, generation FROM recounts WHERE name = ?';
const BEGIN = "INSERT INTO recounts (name, counted_to, generation) VALUES (?, '', 1) ON CONFLICT DO NOTHING";
const ADVANCE = 'UPDATE recounts SET counted_to = ? WHERE name = ? AND counted_to = ? AND generation = ?';
const END = `
  UPDATE recounts SET counted_to = '', generation = 1 - generation
  WHERE name = ? AND counted_to = '${LAST}' AND generation = ?`;

const statementsOf = ({ table, countsTable, groups, sums, where }: KeptCount) => {
  const groupColumns = Object.keys(groups);
  const sumColumns = Object.keys(sums);
  const groupExpressions = Object.values(groups);
  const added = sumColumns.map((name) => `${name} = kept.${name} + excluded.${name}`);
  const totals = sumColumns.map((name) => `sum(${name}) AS ${name}`);
  return {
    pageEnd: `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${PAGE - 1}`,
    /** Adds the rows of a page, or takes them off. Parameters: the lane, 1 or -1 for each sum, the ids that bound the page. */
    count: `
      INSERT INTO ${countsTable} AS kept (lane, ${[...groupColumns, ...sumColumns].join(', ')})
      SELECT CAST(? AS BIGINT), ${groupExpressions.join(', ')}, ${Object.values(sums)
        .map((sum) => `CAST(? AS BIGINT) * ${sum}`)
        .join(', ')}
      FROM ${table} WHERE id > ? AND id <= ? AND ${where} GROUP BY ${groupExpressions.join(', ')}
      ON CONFLICT (lane, ${groupColumns.join(', ')}) DO UPDATE SET ${added.join(', ')}`,
    wrong: `
      SELECT ${[...groupColumns, ...totals].join(', ')} FROM ${countsTable}
      WHERE lane / ${LANES} = ? GROUP BY ${groupColumns.join(', ')}
      HAVING ${sumColumns.map((name) => `sum(${name}) <> 0`).join(' OR ')}`,
    forget: `DELETE FROM ${countsTable} WHERE lane / ${LANES} = ?`,
  };
};

/**
 * Verifies counts while they change. Each count has two generations, whose sum is valid at any time. The triggers count a row in
 * the new generation if its id is within the pages that were counted anew, else in the old one. A page moves its rows from the
 * old to the new generation. When all rows have moved, whatever the old generation still counts is an error: it is reported and
 * deleted. A call counts one page, and returns null while pages follow. See decision 0026.
 */
export const makeVerifyCounts = ({ read, write, dialect }: Database) => {
  const verifyTable = async (keptCount: KeptCount): Promise<readonly WrongCount[] | null> => {
    const { table, groups, sums } = keptCount;
    const statements = statementsOf(keptCount);
    // The triggers hold this lock in shared mode until their commit, so that a page misses no change under way.
    const lock: Unit = dialect.lock === null ? [] : [{ sql: dialect.lock, params: [`counts:${table}`] }];
    const state = await read.get(FIND, [table]);
    if (state === undefined) await write([...lock, { sql: BEGIN, params: [table] }]);
    const from = String(state?.counted_to ?? '');
    const newGeneration = Number(state?.generation ?? 1);
    const oldGeneration = 1 - newGeneration;
    // `from` is LAST if an earlier call counted the last page, but failed before END.
    if (from !== LAST) {
      const to = String((await read.get(statements.pageEnd, [from]))?.id ?? LAST);
      const move = (generation: number, sign: 1 | -1) => {
        const signs = Object.keys(sums).map(() => sign);
        return { sql: statements.count, params: [LANES * generation, ...signs, from, to] };
      };
      // Writes nothing if another process counted the page first.
      await write([
        ...lock,
        { sql: ADVANCE, params: [to, table, from, newGeneration], need: true },
        move(newGeneration, 1),
        move(oldGeneration, -1),
      ]);
      if (to !== LAST) return null;
    }
    const rows = await read.all(statements.wrong, [oldGeneration]);
    const ended = await write([
      ...lock,
      { sql: END, params: [table, newGeneration], need: true },
      { sql: statements.forget, params: [oldGeneration] },
    ]);
    const nameOf = (row: Row) =>
      [table, ...Object.keys(groups).map((name) => `${name}=${row[name]}`)].join(' ');
    // The first sum is the number of rows.
    const [rowsColumn = ''] = Object.keys(sums);
    // If another process ended the count first, it reports the errors.
    return ended.done ? rows.map((row) => ({ name: nameOf(row), excess: Number(row[rowsColumn]) })) : [];
  };

  let wrong: readonly WrongCount[] = [];
  let position = 0;
  return async (): Promise<readonly WrongCount[] | null> => {
    const keptCount = KEPT[position];
    const wrongOfTable = keptCount === undefined ? [] : await verifyTable(keptCount);
    if (wrongOfTable === null) return null;
    wrong = [...wrong, ...wrongOfTable];
    position += 1;
    if (position < KEPT.length) return null;
    const all = wrong;
    wrong = [];
    position = 0;
    return all;
  };
};
