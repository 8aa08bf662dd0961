/** The interval of a price, such as `month` or `3 months`, in the language of a locale. */
export const shownInterval = (interval: string, locale: string): string => {
  const [, count = '1', unit] = /^(?:(\d+) )?(day|week|month|year)s?$/.exec(interval) ?? [];
  if (unit === undefined) return interval;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const parts = format.formatToParts(Number(count));
  // A count of 1 is left out, with the blank after it.
  return parts.map(({ type, value }) => (count === '1' && type !== 'unit' ? '' : value)).join('');
};
