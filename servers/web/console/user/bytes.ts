/**
 * The bytes of a size such as `1 TB`, `1.5 GB` or `1073741824`; NaN where it is none. A unit is 1,024 of the one before, as
 * the page shows sizes. At most two decimals: a thousands separator would be taken for a point.
 */
export const bytesOf = (text: string): number => {
  const [, number = '', unit = ''] = /^(\d+(?:[.,]\d{1,2})?)\s*(?:([kmgtp])?i?b)?$/i.exec(text.trim()) ?? [];
  if (number === '') return Number.NaN;
  return Math.round(Number(number.replace(',', '.')) * 1_024 ** ' KMGTP'.indexOf(unit.toUpperCase() || ' '));
};
