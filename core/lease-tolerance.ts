/** The clocks of two processes, and the lengths of their leases, differ by less than this. */
const LEASE_TOLERANCE_MS = 15_000;

/**
 * `endsAt` is the end of a lease that this process would take now. Returns the latest end that a lease of another holder can
 * have now: one with a later end was written before the clock was set back, and counts as free.
 */
export const latestEnd = (endsAt: number): number => endsAt + LEASE_TOLERANCE_MS;

/** The longest time for which a process takes a lease. */
const LONGEST_LEASE_MS = 60_000;

/** The latest end that any lease can have now. */
export const latestEndAt = (now: number): number => latestEnd(now + LONGEST_LEASE_MS);

/** A lease with an end before this time has expired for every process, also for a holder whose clock is behind ours. */
export const earliestEnd = (now: number): number => now - LEASE_TOLERANCE_MS;
