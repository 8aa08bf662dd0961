import { randomUUID } from 'node:crypto';
import { SCHEMA } from './connections.ts';

/**
 * A row of the table `writers`. A unit of work that changes something notes its number in the row, which is looked up if the
 * answer to the commit is lost. A unit fails if its number is not above the row's fence.
 */
export interface Writer {
  readonly id: string;
  /** The number of the last unit. */
  number: number;
}

const noteOf = (values: string): string => `
  INSERT INTO ${SCHEMA}.writers AS writer (id, number, changes, fence, used_at) ${values}
  ON CONFLICT (id) DO UPDATE SET changes = excluded.changes, used_at = excluded.used_at,
    -- The column takes no null: a unit fails unless its number is above the fence and the last number.
    number = CASE WHEN greatest(writer.fence, writer.number) < excluded.number THEN excluded.number END`;

/** Notes a unit: its parameters are the writer's id and the number. */
export const NOTE = noteOf('VALUES (?1, ?2, 0, 0, now())');

const notingTexts = new Map<string, string>();

/**
 * Extends a statement that returns no rows: it then also notes its unit, with the number of rows that it changes, and returns
 * that number as `changes`. If it changes no row, it notes nothing and returns no row. The writer's id and the unit's number
 * follow the parameters of the statement.
 */
export const withNote = (sql: string, parameterCount: number): string => {
  const existing = notingTexts.get(sql);
  if (existing !== undefined) return existing;
  const values = `SELECT ?${parameterCount + 1}, ?${parameterCount + 2}, count(*), 0, now() FROM changed HAVING count(*) > 0`;
  const text = `WITH changed AS (${sql} RETURNING 1) ${noteOf(values)} RETURNING changes`;
  notingTexts.set(sql, text);
  return text;
};

/**
 * Raises a writer's fence to the second parameter, so that no unit up to that number commits any more, and returns the last
 * unit that the writer committed. If a unit has noted its number and not ended, the statement waits for the unit's end. A unit
 * that it returns is on all replicas for which commits wait, since the statement's own commit waits for them.
 */
export const FENCE = `
  INSERT INTO ${SCHEMA}.writers AS writer (id, number, changes, fence, used_at) VALUES (?1, 0, 0, ?2, now())
  ON CONFLICT (id) DO UPDATE SET fence = greatest(writer.fence, excluded.fence), used_at = excluded.used_at
  RETURNING number, changes`;

/** Removes rows that no unit has used for a day: no call takes nearly as long. */
export const REMOVE_UNUSED = `DELETE FROM ${SCHEMA}.writers WHERE used_at < now() - interval '1 day'`;

export const newWriter = (): Writer => ({ id: randomUUID(), number: 0 });
