import { timeOrNull } from './iso-times.ts';
import { integer, nullable, type ObjectOf, object, oneOf, type TypeOf, text } from './schema.ts';

const keyLineMembers = {
  kind: oneOf(['signing', 'master']),
  id: text({ examples: ['b0mVgQ0c'] }),
  state: oneOf(['next', 'current', 'old', 'over', 'retired', 'unknown'], {
    description:
      '`next` waits for its turn, `current` signs or seals, `old` only verifies or opens, `over` and `retired` neither. ' +
      '`unknown` sealed something, and the key file does not have it',
  }),
  createdAt: timeOrNull('Null if unknown', '2026-11-21T18:00:00.000Z'),
};
/** A key as operators see it. `createdAt`: ISO 8601; null if unknown. */
export type KeyLine = ObjectOf<typeof keyLineMembers>;

export const shownKey = object(
  {
    ...keyLineMembers,
    sealed: nullable(
      integer({
        description:
          'Records and secrets that a master key sealed; null for signing keys, and before the first count',
        examples: [1_204],
      }),
    ),
    countedAt: timeOrNull('The time of the count, which runs once an hour', '2026-11-21T18:00:00.000Z'),
  },
  { title: 'Key' },
);
/** A key, and how many values it sealed by the last hourly count. */
export type ShownKey = TypeOf<typeof shownKey>;

/** A key; master keys have `sealed`, the number of records and secrets that they sealed. */
export interface CountedKey extends KeyLine {
  readonly sealed?: number;
}

/**
 * Adds the counts of sealed items by key id to the lines of key files, and a line for each counted master key that has none.
 * `current`, the id of the key that seals now, gets a line even if it has sealed nothing: a remote KMS lists no keys. The count
 * under `null`, of items that name no key of this product, gets no line.
 */
export const withSealed = (
  lines: readonly KeyLine[],
  sealed: ReadonlyMap<string | null, number>,
  current: string,
): readonly CountedKey[] => {
  const listedIds = new Set(lines.map(({ id }) => id));
  const otherIds = [current, ...sealed.keys()].filter(
    (id): id is string => id !== null && !listedIds.has(id),
  );
  const hasKeyFile = lines.some(({ kind }) => kind === 'master');
  // A key that is missing from the key file is unknown. Without a key file, a remote KMS still has its earlier keys.
  const stateOf = (id: string) => {
    if (hasKeyFile) return 'unknown';
    return id === current ? 'current' : 'old';
  };
  return [
    ...lines.map((line) => (line.kind === 'master' ? { ...line, sealed: sealed.get(line.id) ?? 0 } : line)),
    ...[...new Set(otherIds)].map(
      (id): CountedKey => ({
        kind: 'master',
        id,
        state: stateOf(id),
        createdAt: null,
        sealed: sealed.get(id) ?? 0,
      }),
    ),
  ];
};
