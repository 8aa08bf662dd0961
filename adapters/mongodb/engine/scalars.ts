// Values for filters: scalars, wrapped so that no value from an unchecked body can become an operator.

const refused = (expected: string) => new TypeError(`A store was given something other than ${expected}.`);

/** Throws a `TypeError` for anything but text, and for half a surrogate pair, with which BSON would make different keys equal. */
export const text = (value: string): string => {
  if (typeof value !== 'string' || !value.isWellFormed()) throw refused('text');
  return value;
};

/** Returns a whole number; throws a `TypeError` for anything else. */
export const integer = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

export const integerOrNull = (value: number | null): number | null =>
  value === null ? null : integer(value);

/** Equal to this text. */
export const is = (value: string) => ({ $eq: text(value) }) as const;

/** Equal to this number. */
export const equals = (value: number) => ({ $eq: integer(value) }) as const;

/** One of these texts. */
export const among = (values: readonly string[]) => ({ $in: values.map(text) });

/** A limit for a query; throws a `TypeError` for anything else, and for 0, which MongoDB treats as no limit. */
export const limitOf = (value: number): number => {
  if (integer(value) < 1) throw refused('a number of documents');
  return value;
};
