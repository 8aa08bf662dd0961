/**
 * The bytes of a size such as `1 TB`, `1.5 GiB` or `1073741824`; NaN where it is none. As for commands, a unit is 1,000 of the
 * one before, and 1,024 with an `i`. At most two decimals: a thousands separator would be taken for a point.
 */
export const parseBytes = (text: string): number => {
  const [, number = '', prefix = '', binary] =
    /^(\d+(?:[.,]\d{1,2})?)\s*(?:([kmgtp])(i)?)?b?$/i.exec(text.trim()) ?? [];
  if (number === '') return Number.NaN;
  const unit = binary === undefined ? 1_000 : 1_024;
  return Math.round(Number(number.replace(',', '.')) * unit ** ' KMGTP'.indexOf(prefix.toUpperCase() || ' '));
};
