const DECIMAL = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** A plain decimal as a whole number of its smallest places; undefined if it is malformed. */
const parse = (text: string): { readonly digits: bigint; readonly places: number } | undefined => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? undefined : { digits: BigInt(whole + fraction), places: fraction.length };
};

/** Whether the text is a rate that can be worked with: a plain decimal above nothing. */
export const isRate = (text: string): boolean => (parse(text)?.digits ?? 0n) > 0n;

/**
 * Cents of one currency in another, at a rate given as decimal text: exact, then rounded half up to whole hundredths.
 * Throws a `RangeError` for what is no rate or no whole number of cents.
 */
export const convertCents = (cents: number, rate: string): number => {
  const factor = parse(rate);
  if (factor === undefined || !Number.isSafeInteger(cents) || cents < 0) {
    throw new RangeError('Not an amount of cents and a rate.');
  }
  const unit = 10n ** BigInt(factor.places);
  return Number((2n * BigInt(cents) * factor.digits + unit) / (2n * unit));
};

/** Major units of hundredths: the nearest number to a decimal of two places, so it prints as that. */
export const majorUnits = (hundredths: number): number => hundredths / 100;
