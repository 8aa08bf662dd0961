import { defaultTiers } from '../tiers.ts';

const hours = (count: number) => count * 3_600_000;
const days = (count: number) => count * 86_400_000;

const rules = {
  /** All tiers, the lowest first. */
  tiers: defaultTiers,
  /** The plans that can be bought. */
  plans: ['pro-lite', 'pro'] as readonly string[],
  pastDueGraceMs: days(7),
  /** How long a renewal may be late before the provider is asked. */
  renewalPatienceMs: days(1),
  renewalAskEveryMs: days(1),
  /** The pause before an unreachable provider is asked again. */
  renewalAskRetryMs: hours(1),
  /**
   * The largest expected difference between the provider's clock and ours. An event that is so close to an answer may be older
   * or newer than the answer, so the provider is asked again after this time.
   */
  answerMarginMs: 300_000,
  eventRetryFirstMs: 1_000,
  eventRetryLongestMs: hours(1),
  /** The age at which an event that cannot be applied becomes dead. */
  eventGiveUpMs: days(1),
  /** How long events are stored after they came or were last replayed; pending ones stay. */
  eventLifeMs: days(90),
  /** How long the provider's prices are cached. */
  priceLifeMs: hours(1),
  /** The pause after a failed request for prices. */
  pricesRetryMs: 10_000,
  rateFreshForMs: hours(12),
  /** The pause between requests for rates while they fail, or return a rate that waits for confirmation. */
  rateRetryMs: 60_000,
  /** A rate that differs from the last good rate by more than this share is accepted only if a second day confirms it. */
  rateJump: 0.2,
  /** Złoty for a dollar until the first good rate. */
  rateFallback: 4,
};

/** The billing rules in numbers and names. */
export type BillingPolicy = Readonly<typeof rules>;

export const defaultBillingPolicy: BillingPolicy = rules;
