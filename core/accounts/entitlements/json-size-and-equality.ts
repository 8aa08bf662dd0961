/** The UTF-8 length of JSON. */
export const bytesOf = (json: string): number => new TextEncoder().encode(json).length;

/**
 * The value with the members of every object sorted, so that equal values have equal text. The name `members` around each
 * sorted list tells it from an array.
 */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
};

const textOf = (value: unknown): string => JSON.stringify(sorted(value));

/** Whether two JSON objects are equal, whatever the order of their members. */
export const sameObject = (
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean => a === b || JSON.stringify(a) === JSON.stringify(b) || textOf(a) === textOf(b);
