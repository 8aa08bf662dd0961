/** A name is the sender's. More of them than this are counted together. */
const MOST_NAMES = 100;
const OTHERS = 'other fields';

/** Counts how many users had what does not come along. */
export const makeTally = () => {
  const counts = new Map<string, number>();
  return {
    add: (names: readonly string[]) => {
      const counted = names.map((name) => (counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS));
      for (const name of new Set(counted)) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** The most frequent ones first. */
    read: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...counts].sort(([, one], [, other]) => other - one)),
  };
};

export const inWords = (leftOut: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(leftOut).map(([name, count]) => `${name} (${count})`);
  return parts.length === 0 ? '' : ` Did not come along, with the number of users: ${parts.join(', ')}.`;
};
