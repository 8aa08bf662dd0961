/** JSON has no lone surrogates, so each character is one byte or a run of escapes, one for each byte. */
export const bytesOf = (json: string): number =>
  encodeURIComponent(json).replace(/%[0-9A-F]{2}/g, '-').length;

/** The value with the members of every object in one order, so that equal values have equal text. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { members: members.toSorted(([one], [other]) => (one < other ? -1 : 1)) };
};

const textOf = (value: unknown): string => JSON.stringify(sorted(value));

/** Whether two JSON objects hold the same, in whatever order their members stand. */
export const sameObject = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean => one === other || JSON.stringify(one) === JSON.stringify(other) || textOf(one) === textOf(other);
