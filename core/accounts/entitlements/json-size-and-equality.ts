/** The UTF-8 length of JSON, which has no lone surrogates: each byte is a plain character or one percent escape. */
export const bytesOf = (json: string): number =>
  encodeURIComponent(json).replace(/%[0-9A-F]{2}/g, '-').length;

/** The value with sorted members in every object, as a list in `members` (unlike an array): equal values have equal text. */
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
