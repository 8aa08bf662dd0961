import type { Scalar } from './statements.ts';

const refused = (wanted: string) => new TypeError(`A store was given something other than ${wanted}.`);

/** Returns text; throws a `TypeError` for anything else, such as `{"$ne": ""}` from an unchecked body. */
export const text = (value: string): string => {
  if (typeof value !== 'string') throw refused('text');
  return value;
};

const NOT_PLAIN = /[\0\p{Surrogate}]/u;

/**
 * Returns text that survives SQLite's JSON functions; throws a `TypeError` for anything else. These functions stop at a
 * NUL, and turn half a surrogate pair into text on which the driver aborts the process.
 */
export const plainText = (value: string): string => {
  if (NOT_PLAIN.test(text(value))) throw refused('plain text');
  return value;
};

/** Returns a whole number; throws a `TypeError` for anything else. */
export const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

export const wholeOrNull = (value: number | null): number | null => (value === null ? null : whole(value));

/** A boolean as a number: the driver aborts the process when it binds a boolean. */
export const flag = (value: boolean): number => (value ? 1 : 0);

/** Throws a `TypeError` unless all are scalars. */
export const checkScalars = (values: readonly Scalar[]): void => {
  for (const value of values) {
    if (typeof value !== 'string' && value !== null && !Number.isFinite(value)) throw refused('a scalar');
  }
};
