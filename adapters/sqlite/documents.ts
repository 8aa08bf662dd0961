import type { Row } from './unit.ts';

/** A record out of its `doc` column: only the core's own records are stored there, so it is taken to be one. */
export const document = <T>(row: Row): T => JSON.parse(String(row.doc)) as T;

export const documents = <T>(rows: readonly Row[]): readonly T[] => rows.map((row) => document<T>(row));
