/** The limit of counted names, which come from the file. Further names are counted together. */
const MOST_NAMES = 100;
const OTHERS = 'other fields';

/** Counts how many users lose each field. */
export const makeLostFields = () => {
  const counts = new Map<string, number>();
  return {
    add: (names: readonly string[]) => {
      const counted = names.map((name) => (counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS));
      for (const name of new Set(counted)) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** The counts together with `extra`, the most frequent first. */
    read: (extra: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> => {
      const totals = new Map(counts);
      for (const [name, count] of Object.entries(extra))
        if (count > 0) totals.set(name, (totals.get(name) ?? 0) + count);
      return Object.fromEntries([...totals].sort(([, a], [, b]) => b - a));
    },
  };
};

export const inWords = (leftOut: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(leftOut).map(([name, count]) => `${name} (${count})`);
  return parts.length === 0 ? '' : ` Not imported, with the number of users: ${parts.join(', ')}.`;
};
