/** A key as operators see it. */
export interface KeyLine {
  readonly kind: 'signing' | 'master';
  readonly id: string;
  /**
   * `next` is not used yet, `current` signs or seals, `old` only verifies or opens, `over` and `retired` are not used any
   * more; `unknown` sealed something but is missing from the key file.
   */
  readonly state: 'next' | 'current' | 'old' | 'over' | 'retired' | 'unknown';
  /** ISO 8601; null if unknown. */
  readonly createdAt: string | null;
}

/** A key with the number of records and secrets that it sealed; absent for signing keys. */
export interface CountedKey extends KeyLine {
  readonly sealed?: number;
}

/**
 * Adds the counts of sealed items to the lines of key files. Keys of a remote service appear only with their counts.
 * `current` is the id of the key that seals now.
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
  const isListed = lines.some(({ kind }) => kind === 'master');
  return [
    ...lines.map((line) => (line.kind === 'master' ? { ...line, sealed: sealed.get(line.id) ?? 0 } : line)),
    ...[...new Set(otherIds)].map((id): CountedKey => {
      // An unknown key sealed records, but is missing from the key file.
      const state = id === current ? 'current' : isListed ? 'unknown' : 'old';
      return { kind: 'master', id, state, createdAt: null, sealed: sealed.get(id) ?? 0 };
    }),
  ];
};
