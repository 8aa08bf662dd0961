const PREFIXES = 'kmgtp';

/** Parses bytes: a number, alone or with a unit of 1000 (`1TB`) or 1024 (`500GiB`). Undefined for anything else. */
export const parseBytes = (text: string): number | undefined => {
  const [, integer = '', fraction = '', prefix = '', binary] =
    /^(\d{1,16})(?:\.(\d{1,3}))?\s?(?:([kmgtp])(i)?)?b?$/i.exec(text) ?? [];
  if (integer === '') return undefined;
  const power = PREFIXES.indexOf(prefix.toLowerCase()) + 1;
  const unit = (binary === undefined ? 1_000n : 1_024n) ** BigInt(prefix === '' ? 0 : power);
  // In thousandths, so that 1.5TB is exact.
  const thousandths = BigInt(integer + fraction.padEnd(3, '0')) * unit;
  const bytes = Number(thousandths / 1_000n);
  return thousandths % 1_000n === 0n && Number.isSafeInteger(bytes) ? bytes : undefined;
};
