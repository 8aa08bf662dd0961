let checkCount = 0;

/** Counts a check that was not made by chai. Call it right after the check has passed. */
export const checked = (): void => {
  checkCount += 1;
};

/** The number of checks since the last call. */
export const takeChecks = (): number => {
  const count = checkCount;
  checkCount = 0;
  return count;
};
