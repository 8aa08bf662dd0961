/** Clocks of two processes, and the lengths of the leases that they take, differ by less. Milliseconds. */
const CLOCK_SET_BACK = 15_000;

/**
 * The latest end that another holder's lease may have when one is taken until `endsAt`. A lease with a later end dates from
 * before the clock was set back, and counts as free.
 */
export const latestEnd = (endsAt: number): number => endsAt + CLOCK_SET_BACK;
