/** So many files may fail beside others and pass by themselves before a run is red. */
const MOST = 2;

export interface SecondTry {
  /** The file, or the files that shared a process. */
  readonly name: string;
  /** What the first try printed. */
  readonly output: string;
}

/** What is said at the end of those that passed at a second try, and whether they are too many. */
export const secondTries = (tries: readonly SecondTry[]) => {
  const count = tries.length;
  return {
    isRed: count > MOST,
    details: tries.flatMap(({ name, output }) => [`↻ ${name} failed at the first try:`, output]),
    names: count === 0 ? [] : ['== Passed at the second try only', ...tries.map(({ name }) => `↻ ${name}`)],
    summary: count === 0 ? '' : `, ${count} at the second try only${count > MOST ? ' (too many)' : ''}`,
  };
};
