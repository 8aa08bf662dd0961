import { defaultTiers } from '../tiers.ts';

const hours = (count: number) => count * 3_600_000;
const days = (count: number) => count * 86_400_000;

/** Every number of the billing rules. Times are milliseconds. */
export interface BillingPolicy {
  /** The tiers there are, the least first. */
  readonly tiers: readonly string[];
  /** The plans that can be bought. */
  readonly plans: readonly string[];
  readonly pastDueGrace: number;
  /** How long a renewal may be late before the provider is asked. */
  readonly renewalPatience: number;
  readonly renewalAskEvery: number;
  /** When a provider that could not be reached is asked again. */
  readonly renewalAskRetry: number;
  /**
   * How close to its answer an event may be for neither to be surely the newer: it is asked again after as long. By so
   * much its clock and ours may differ.
   */
  readonly answerMargin: number;
  readonly eventRetryFirst: number;
  readonly eventRetryLongest: number;
  /** After which an event that cannot be applied is kept as a dead letter. */
  readonly eventGiveUp: number;
  /** How long events are kept after they were applied, or while they wait or are dead letters. */
  readonly eventKept: number;
  /** How long the provider's prices count, and when it is asked again after it did not answer. */
  readonly pricesKept: number;
  readonly pricesRetry: number;
  readonly rateFresh: number;
  /** When a source of rates that failed is asked again. */
  readonly rateRetry: number;
  /** A change against the last good rate beyond this share is only believed when a second day confirms it. */
  readonly rateJump: number;
  /** Złoty for a dollar before the first good answer. */
  readonly rateFallback: number;
}

export const defaultBillingPolicy: BillingPolicy = {
  tiers: defaultTiers,
  plans: ['pro-lite', 'pro'],
  pastDueGrace: days(7),
  renewalPatience: days(1),
  renewalAskEvery: days(1),
  renewalAskRetry: hours(1),
  answerMargin: 300_000,
  eventRetryFirst: 1_000,
  eventRetryLongest: hours(1),
  eventGiveUp: days(1),
  eventKept: days(90),
  pricesKept: hours(1),
  pricesRetry: 10_000,
  rateFresh: hours(12),
  rateRetry: 60_000,
  rateJump: 0.2,
  rateFallback: 4,
};
