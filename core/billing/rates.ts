import { CoreError } from '../errors.ts';
import type { Kit } from './kit.ts';
import type { KeptRates, Rate } from './ports.ts';
import { isRate } from './price.ts';

/** A rate to convert with, and whether it is older than it should be. */
export interface UsedRate extends Rate {
  readonly stale: boolean;
}

const NOTHING: KeptRates = { good: null, confirmedAt: 0, doubted: null };

/** Whether one rate differs from another by more than that share of it. */
const jumps = (from: Rate, to: Rate, share: number): boolean =>
  Math.abs(Number(to.mid) - Number(from.mid)) > share * Number(from.mid);

/**
 * What is believed after an answer. A jump is believed only when the answer of another day confirms it, so that one
 * wrong table moves no price; the fallback is no rate to jump from.
 */
const judgeRate = (kept: KeptRates, answer: Rate, now: number, share: number): KeptRates => {
  const believed: KeptRates = { good: answer, confirmedAt: now, doubted: null };
  const { good, doubted } = kept;
  if (good === null || !jumps(good, answer, share)) return believed;
  const confirms =
    doubted !== null && doubted.effectiveDate < answer.effectiveDate && !jumps(doubted, answer, share);
  if (confirms) return believed;
  return doubted === null || doubted.effectiveDate > answer.effectiveDate || jumps(doubted, answer, share)
    ? { ...kept, doubted: answer }
    : kept;
};

/**
 * The rate of dollars in złoty. There always is one: while the source is down, the last good one or the fallback.
 * After a failure of the source, calls that have a good rate do not wait for it; its next answer counts for later calls.
 * See decision 0033.
 */
export const makeCurrentRate = ({ clock, log, policy, rateSource, rates }: Kit) => {
  let asking: Promise<KeptRates> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isDown = false;

  const ask = async (kept: KeptRates): Promise<KeptRates> => {
    triedAt = clock.now();
    try {
      const answer = await rateSource.latest();
      if (!isRate(answer.mid)) throw new CoreError('unavailable', 'absurd_rate', 'The rate is no number.');
      isDown = false;
      const judged = judgeRate(kept, answer, clock.now(), policy.rateJump);
      if (judged !== kept) await rates.write(judged);
      if (judged.good !== answer) log.warn('rates.jump_doubted', { reason: answer.effectiveDate });
      return judged;
    } catch (error) {
      isDown = true;
      log.warn('rates.unavailable', { error });
      return kept;
    }
  };

  const isFresh = ({ good, confirmedAt }: KeptRates): boolean => {
    const age = clock.now() - confirmedAt;
    return good !== null && age >= 0 && age < policy.rateFresh;
  };

  return async (): Promise<UsedRate> => {
    let kept = (await rates.read()) ?? NOTHING;
    if (!isFresh(kept)) {
      if (asking === undefined && Math.abs(clock.now() - triedAt) >= policy.rateRetry) {
        asking = ask(kept).finally(() => {
          asking = undefined;
        });
      }
      if (asking !== undefined && (!isDown || kept.good === null)) kept = await asking;
    }
    if (kept.good !== null) return { ...kept.good, stale: !isFresh(kept) };
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    return { mid: String(policy.rateFallback), effectiveDate: today, stale: true };
  };
};
