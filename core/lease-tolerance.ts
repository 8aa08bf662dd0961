/** Milliseconds. The clocks of two processes, and the lengths of their leases, differ by less than this. */
const LEASE_TOLERANCE = 15_000;

/**
 * The latest end of another holder's lease while this process takes a lease until `endsAt`. A lease with a later end was
 * written before the clock was set back, and counts as free.
 */
export const latestEnd = (endsAt: number): number => endsAt + LEASE_TOLERANCE;
