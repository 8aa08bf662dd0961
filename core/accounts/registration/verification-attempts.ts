import type { ErrorCode } from '../../error-codes.ts';
import { CoreError } from '../../errors.ts';
import type { LogFields } from '../../ports.ts';
import type { Deps } from '../deps.ts';
import { lockedOut } from '../errors.ts';
import { DAY } from '../policy.ts';
import { codeAttemptsKey, networkCodeAttemptsKey } from '../throttle-keys.ts';

/** An attempt to verify an email with a code. */
export interface CodeAttempt {
  readonly email: string;
  /** Undefined where the email has no account. */
  readonly userId: string | undefined;
  /** The client network. */
  readonly client: string;
}

/** The codes of errors that count as a wrong attempt. */
const WRONG: readonly ErrorCode[] = ['invalid_code', 'wrong_credentials'];

/**
 * Counts the wrong verification codes of a day for each email, and for each email and client network. `failedEvent` and
 * `fields` are what the log says about a wrong code.
 */
export const makeCodeAttempt = (
  { clock, digest, log, policy, attempts }: Pick<Deps, 'clock' | 'digest' | 'log' | 'policy' | 'attempts'>,
  { email, userId, client }: CodeAttempt,
  failedEvent: string,
  fields: LogFields,
) => {
  const bounds = [
    { key: networkCodeAttemptsKey(digest, email, client), most: policy.networkWrongCodesADay },
    { key: codeAttemptsKey(digest, email, userId), most: policy.wrongCodesADay },
  ];
  const lockout = (until: number) => {
    log.warn('verification.held', fields);
    return lockedOut('verification_held', until, clock.now());
  };

  return {
    /** Throws `throttled` (`verification_held`) if the day's wrong codes are used up. */
    requireAllowance: async (): Promise<void> => {
      const now = clock.now();
      const lockEnds = await Promise.all(
        bounds.map(async ({ key, most }) => {
          const counter = await attempts.find(key, now);
          // 0: no lock.
          return counter !== undefined && counter.count >= most ? counter.firstAt + DAY : 0;
        }),
      );
      const until = Math.max(...lockEnds);
      if (until > 0) throw lockout(until);
    },

    /**
     * Counts the error of a redemption if it is a wrong attempt, and throws it again, or throws the lockout if concurrent
     * attempts have used up the allowance. A network beyond its own allowance no longer counts for the email.
     */
    countWrong: async (error: unknown): Promise<never> => {
      if (!(error instanceof CoreError) || !WRONG.includes(error.code)) throw error;
      log.info(failedEvent, { reason: error.code, ...fields });
      const exceeded = await attempts.addInTurn(bounds, DAY, clock.now());
      throw exceeded === undefined ? error : lockout(exceeded.firstAt + DAY);
    },
  };
};
