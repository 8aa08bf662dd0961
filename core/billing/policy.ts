import { defaultTiers } from '../tiers.ts';

const hours = (count: number) => count * 3_600_000;
const days = (count: number) => count * 86_400_000;

/** Every number of the billing rules. Times are milliseconds. */
export interface BillingPolicy {
  /** All tiers, the lowest first. */
  readonly tiers: readonly string[];
  /** The plans that can be bought. */
  readonly plans: readonly string[];
  readonly pastDueGrace: number;
  /** How long a renewal may be late before the provider is asked. */
  readonly renewalPatience: number;
  readonly renewalAskEvery: number;
  /** The pause before an unreachable provider is asked again. */
  readonly renewalAskRetry: number;
  /**
   * The largest expected difference between the provider's clock and ours. An event this close to an answer may be older
   * or newer than it, so the provider is asked again after this time.
   */
  readonly answerMargin: number;
  readonly eventRetryFirst: number;
  readonly eventRetryLongest: number;
  /** The age at which an event that cannot be applied becomes a dead letter. */
  readonly eventGiveUp: number;
  /** How long events are stored that are applied, waiting or dead letters. */
  readonly eventLife: number;
  /** How long the provider's prices are cached, and the pause after a failed request. */
  readonly priceLife: number;
  readonly pricesRetry: number;
  readonly rateFresh: number;
  /** The pause after a failed request for rates. */
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
  eventLife: days(90),
  priceLife: hours(1),
  pricesRetry: 10_000,
  rateFresh: hours(12),
  rateRetry: 60_000,
  rateJump: 0.2,
  rateFallback: 4,
};
