import { randomUUID } from 'node:crypto';
import { SCHEMA } from './connections.ts';

/**
 * A row of the table `writers`. Each unit of work notes its number in it, to be found there if the answer to its commit is
 * lost. The row has a fence too: a unit with a number up to it fails.
 */
export interface Writer {
  readonly id: string;
  /** The number of the last unit. */
  number: number;
}

const noteOf = (values: string): string => `
  INSERT INTO ${SCHEMA}.writers AS writer (id, number, changes, fence, used_at) ${values}
  ON CONFLICT (id) DO UPDATE SET changes = excluded.changes, used_at = excluded.used_at,
    -- The column takes no null.
    number = CASE WHEN greatest(writer.fence, writer.number) < excluded.number THEN excluded.number END`;

/** Notes a unit: its parameters are the writer's id and the number. */
export const NOTE = noteOf('VALUES (?1, ?2, 0, 0, now())');

const notingTexts = new Map<string, string>();

/**
 * The statement, which returns no rows, so that it notes its unit with the number of rows that it changes, and
 * returns that as `changes`. If there are none, it changes and returns nothing. The writer's id and the number follow its own parameters.
 */
export const withNote = (sql: string, parameters: number): string => {
  const existing = notingTexts.get(sql);
  if (existing !== undefined) return existing;
  const values = `SELECT ?${parameters + 1}, ?${parameters + 2}, count(*), 0, now() FROM changed HAVING count(*) > 0`;
  const text = `WITH changed AS (${sql} RETURNING 1) ${noteOf(values)} RETURNING changes`;
  notingTexts.set(sql, text);
  return text;
};

/**
 * Returns the last unit of a writer that was committed. From then on none can be with a number up to that of the second
 * parameter. Waits for one that is under way, and for the replicas for which its commit was to wait.
 */
export const FENCE = `
  INSERT INTO ${SCHEMA}.writers AS writer (id, number, changes, fence, used_at) VALUES (?1, 0, 0, ?2, now())
  ON CONFLICT (id) DO UPDATE SET fence = greatest(writer.fence, excluded.fence), used_at = excluded.used_at
  RETURNING number, changes`;

/** A call takes much less time. */
export const REMOVE_UNUSED = `DELETE FROM ${SCHEMA}.writers WHERE used_at < now() - interval '1 day'`;

export const newWriter = (): Writer => ({ id: randomUUID(), number: 0 });
