import type { Scalar } from './statements.ts';

const refused = (wanted: string) => new TypeError(`A store was given something other than ${wanted}.`);

/** Passes text on; throws a `TypeError` for anything else, such as `{"$ne": ""}` out of an unchecked body. */
export const text = (value: string): string => {
  if (typeof value !== 'string') throw refused('text');
  return value;
};

const NOT_PLAIN = /[\0\p{Surrogate}]/u;

/**
 * Passes text on that SQLite's JSON functions give back as it is; throws a `TypeError` for anything else. They end at a
 * NUL, and from half a surrogate pair they make what the driver aborts the process for.
 */
export const plainText = (value: string): string => {
  if (NOT_PLAIN.test(text(value))) throw refused('plain text');
  return value;
};

/** Passes a whole number on; throws a `TypeError` for anything else. */
export const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

export const wholeOrNull = (value: number | null): number | null => (value === null ? null : whole(value));

/** True or false as SQLite keeps it: the driver aborts the process when it has to bind a boolean. */
export const flag = (value: boolean): number => (value ? 1 : 0);

/** Throws a `TypeError` unless all are scalars. */
export const checkScalars = (values: readonly Scalar[]): void => {
  for (const value of values) {
    if (typeof value !== 'string' && value !== null && !Number.isFinite(value)) throw refused('a scalar');
  }
};
