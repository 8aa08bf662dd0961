// Values that go into filters: scalars, wrapped so that nothing out of an unchecked body can be an operator.

const refused = (wanted: string) => new TypeError(`A store was given something other than ${wanted}.`);

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Passes text on; throws a `TypeError` for anything else, such as `{"$ne": ""}`, and for half a surrogate pair: BSON has
 * no form of it, and one key would stand for many.
 */
export const text = (value: string): string => {
  if (typeof value !== 'string' || LONE_SURROGATE.test(value)) throw refused('text');
  return value;
};

/** Passes a whole number on; throws a `TypeError` for anything else. */
export const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};

export const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

export const wholeOrNull = (value: number | null): number | null => (value === null ? null : whole(value));

/** Equal to this text. */
export const is = (value: string) => ({ $eq: text(value) }) as const;

/** Equal to this number. */
export const equals = (value: number) => ({ $eq: whole(value) }) as const;

/** One of these texts. */
export const among = (values: readonly string[]) => ({ $in: values.map(text) });

/** How many documents to give at the most; throws a `TypeError` for anything else, such as 0, which would be all. */
export const limitOf = (value: number): number => {
  if (whole(value) < 1) throw refused('a number of documents');
  return value;
};
