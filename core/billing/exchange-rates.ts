import { CoreError } from '../errors.ts';
import { isoDay } from '../iso-times.ts';
import type { Deps } from './deps.ts';
import type { Rate, RatesRecord } from './ports.ts';

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** A plain decimal as an integer with its number of decimal places; undefined if it is malformed. */
const parse = (text: string): { readonly digits: bigint; readonly places: number } | undefined => {
  const [, integer, fraction = ''] = DECIMAL.exec(text) ?? [];
  return integer === undefined ? undefined : { digits: BigInt(integer + fraction), places: fraction.length };
};

/** Whether the text is a usable rate: a plain decimal above zero. */
export const isRate = (text: string): boolean => (parse(text)?.digits ?? 0n) > 0n;

/**
 * Cents of one currency in another, at a rate given as decimal text: exact, then rounded half up to whole hundredths.
 * Throws a `RangeError` for an invalid rate or amount.
 */
export const convertCents = (cents: number, rate: string): number => {
  const factor = parse(rate);
  if (factor === undefined || !Number.isSafeInteger(cents) || cents < 0) {
    throw new RangeError('Not an amount of cents and a rate.');
  }
  const unit = 10n ** BigInt(factor.places);
  return Number((2n * BigInt(cents) * factor.digits + unit) / (2n * unit));
};

/** Hundredths as major units: 3596 as 35.96. The division gives the number nearest to that decimal, which prints as such. */
export const majorUnits = (hundredths: number): number => hundredths / 100;

const NO_RATES: RatesRecord = { good: null, confirmedAt: 0, doubted: null };

/** Whether the next rate differs from the previous rate by more than this share of the previous rate. */
const isJump = (previous: Rate, next: Rate, share: number): boolean =>
  Math.abs(Number(next.mid) - Number(previous.mid)) > share * Number(previous.mid);

/**
 * The accepted rates after an answer. A jump is accepted only if the rate of a later day confirms it, so that one
 * wrong table changes no price. The first rate is accepted as it is: there is no earlier rate to compare it with.
 */
const judgeRate = (stored: RatesRecord, latest: Rate, now: number, share: number): RatesRecord => {
  const accepted: RatesRecord = { good: latest, confirmedAt: now, doubted: null };
  const { good, doubted } = stored;
  if (good === null || !isJump(good, latest, share)) return accepted;
  const isDoubtedAlready =
    doubted !== null && !isJump(doubted, latest, share) && doubted.effectiveDate <= latest.effectiveDate;
  if (!isDoubtedAlready) return { ...stored, doubted: latest };
  // Another answer for the same day confirms nothing.
  return doubted.effectiveDate < latest.effectiveDate ? accepted : stored;
};

/**
 * The rate of dollars in złoty: while the source is down, the last good rate or the fallback. After a failure of the
 * source, calls that have a good rate do not wait for the next answer, which later calls use. See decision 0032.
 */
export const makeCurrentRate = ({ clock, log, policy, rateSource, rates }: Deps) => {
  let pendingRequest: Promise<RatesRecord> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isDown = false;

  const requestRates = async (stored: RatesRecord): Promise<RatesRecord> => {
    triedAt = clock.now();
    try {
      const latest = await rateSource.latest();
      if (!isRate(latest.mid))
        throw new CoreError('unavailable', 'absurd_rate', 'The rate is not a decimal above zero.');
      isDown = false;
      const judged = judgeRate(stored, latest, clock.now(), policy.rateJump);
      if (judged !== stored) await rates.write(judged);
      if (judged.good !== latest) log.warn('rates.jump_doubted', { reason: latest.effectiveDate });
      return judged;
    } catch (error) {
      isDown = true;
      log.warn('rates.unavailable', { error });
      return stored;
    }
  };

  const isFresh = ({ good, confirmedAt }: RatesRecord): boolean => {
    const age = clock.now() - confirmedAt;
    return good !== null && age >= 0 && age < policy.rateFreshForMs;
  };

  return async (): Promise<Rate & { readonly stale: boolean }> => {
    let stored = (await rates.read()) ?? NO_RATES;
    if (!isFresh(stored)) {
      // The difference may be negative: a clock that was set back must not put off the next attempt.
      if (pendingRequest === undefined && Math.abs(clock.now() - triedAt) >= policy.rateRetryMs) {
        pendingRequest = requestRates(stored).finally(() => {
          pendingRequest = undefined;
        });
      }
      if (pendingRequest !== undefined && (!isDown || stored.good === null)) stored = await pendingRequest;
    }
    if (stored.good !== null) return { ...stored.good, stale: !isFresh(stored) };
    const today = isoDay(clock.now());
    return { mid: String(policy.rateFallback), effectiveDate: today, stale: true };
  };
};
