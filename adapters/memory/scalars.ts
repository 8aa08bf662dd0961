const refused = (wanted: string) => new TypeError(`A store was given something other than ${wanted}.`);

/** Returns text; throws a `TypeError` for anything else, as every store does: `{"$ne": ""}` must find nothing. */
export const text = (value: string): string => {
  if (typeof value !== 'string') throw refused('text');
  return value;
};

/** Returns a whole number; throws a `TypeError` for anything else. */
export const whole = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw refused('a whole number');
  return value;
};
