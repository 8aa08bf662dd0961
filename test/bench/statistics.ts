const sorted = (values: readonly number[]) => [...values].sort((value, other) => value - other);

/** The value that the given share (0 to 1) of the values do not exceed; NaN without values. */
export const quantile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

export const median = (values: readonly number[]): number => {
  const half = values.length / 2;
  const [low, high] = [quantile(values, 0.5), sorted(values)[Math.floor(half)] ?? Number.NaN];
  return Number.isInteger(half) ? (low + high) / 2 : low;
};

export const medianOf = <T>(items: readonly T[], pick: (item: T) => number): number =>
  median(items.map(pick));
