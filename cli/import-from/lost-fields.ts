/** An imported file may have any number of names. Those beyond this limit are counted as `OTHERS`. */
const MOST_NAMES = 100;
const OTHERS = 'other fields';

/** Counts how many users lose each field. */
export const makeLostFields = () => {
  const counts = new Map<string, number>();
  return {
    add: (names: readonly string[]) => {
      const countedForUser = new Set<string>();
      for (const name of names) {
        const counted = counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS;
        // Several fields of one user may count as `OTHERS`: the user is counted once.
        if (countedForUser.has(counted)) continue;
        countedForUser.add(counted);
        counts.set(counted, (counts.get(counted) ?? 0) + 1);
      }
    },
    /** The counts, the highest first. `extra` adds users whom the caller counted itself, by name of the lost field. */
    read: (extra: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> => {
      const totals = new Map(counts);
      for (const [name, count] of Object.entries(extra))
        if (count > 0) totals.set(name, (totals.get(name) ?? 0) + count);
      return Object.fromEntries([...totals].sort(([, a], [, b]) => b - a));
    },
  };
};

export const noteOfLostFields = (leftOut: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(leftOut).map(([name, count]) => `${name} (${count})`);
  return parts.length === 0 ? '' : ` Not imported, with the number of users: ${parts.join(', ')}.`;
};
