/** A key as operators see it. */
export interface KeyLine {
  readonly kind: 'signing' | 'master';
  readonly id: string;
  /**
   * `next` waits for its turn, `current` signs or seals, `old` only verifies or opens, `over` and `retired` neither;
   * `unknown` sealed something, and the key file does not have it.
   */
  readonly state: 'next' | 'current' | 'old' | 'over' | 'retired' | 'unknown';
  /** ISO 8601; null where nobody says. */
  readonly createdAt: string | null;
}

/** A key with how many records and secrets it sealed; absent for keys that seal nothing. */
export interface CountedKey extends KeyLine {
  readonly sealed?: number;
}

/**
 * Adds to the lines of key files what each master key sealed. Keys of a remote service appear by their counts alone.
 * `current` is the id of the key that seals now.
 */
export const withSealed = (
  lines: readonly KeyLine[],
  sealed: ReadonlyMap<string | null, number>,
  current: string,
): readonly CountedKey[] => {
  const named = new Set(lines.map(({ id }) => id));
  const others = [current, ...sealed.keys()].filter((id): id is string => id !== null && !named.has(id));
  const isListed = lines.some(({ kind }) => kind === 'master');
  return [
    ...lines.map((line) => (line.kind === 'master' ? { ...line, sealed: sealed.get(line.id) ?? 0 } : line)),
    ...[...new Set(others)].map((id): CountedKey => {
      // Records name an unknown key as theirs, but the key file does not have it.
      const state = id === current ? 'current' : isListed ? 'unknown' : 'old';
      return { kind: 'master', id, state, createdAt: null, sealed: sealed.get(id) ?? 0 };
    }),
  ];
};
