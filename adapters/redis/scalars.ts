const refused = (wanted: string) => new TypeError(`A cache was given something other than ${wanted}.`);

/** Passes text on; throws a `TypeError` for anything else, and for half a surrogate pair, which has no UTF-8. */
export const textOf = (value: string): string => {
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) throw refused('text');
  return value;
};

/** Passes a whole number on; throws a `TypeError` for anything else. */
export const wholeOf = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};
