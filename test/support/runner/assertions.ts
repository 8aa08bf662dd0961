let made = 0;

/** Counts a check: to be called where another way than chai's made it, in the place where that would have thrown. */
export const checked = (): void => {
  made += 1;
};

/** How many checks were made since this was called last. */
export const takeChecks = (): number => {
  const count = made;
  made = 0;
  return count;
};
