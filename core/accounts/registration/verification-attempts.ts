import type { Deps } from '../deps.ts';
import { DAY } from '../policy.ts';
import type { Bounded } from '../ports.ts';
import { codeAttemptsKey, networkCodeAttemptsKey } from '../throttle-keys.ts';

/** An attempt to verify an email with a code. */
export interface CodeAttempt {
  readonly email: string;
  /** Undefined where the email has no account. */
  readonly userId: string | undefined;
  /** The client network. */
  readonly client: string;
}

/** Counts the wrong verification codes of a day for each email, and for each email and client network. */
export const makeVerificationAttempts = ({
  clock,
  digest,
  policy,
  tries,
}: Pick<Deps, 'clock' | 'digest' | 'policy' | 'tries'>) => {
  const boundsOf = ({ email, userId, client }: CodeAttempt): readonly Bounded[] => [
    { key: networkCodeAttemptsKey(digest, email, client), most: policy.networkWrongCodesADay },
    { key: codeAttemptsKey(digest, email, userId), most: policy.wrongCodesADay },
  ];

  return {
    /** The end of the lockout, epoch milliseconds; undefined when there is none. */
    lockedUntil: async (attempt: CodeAttempt): Promise<number | undefined> => {
      const now = clock.now();
      const lockEnds = await Promise.all(
        boundsOf(attempt).map(async ({ key, most }) => {
          const attempts = await tries.find(key, now);
          return attempts !== undefined && attempts.count >= most ? attempts.firstAt + DAY : 0;
        }),
      );
      return Math.max(...lockEnds) || undefined;
    },

    /**
     * Counts a wrong code. Returns the end of the lockout if concurrent attempts have used up the allowance; a network
     * beyond its own allowance no longer counts for the email.
     */
    add: async (attempt: CodeAttempt): Promise<number | undefined> => {
      const exceeded = await tries.addInTurn(boundsOf(attempt), DAY, clock.now());
      return exceeded && exceeded.firstAt + DAY;
    },
  };
};
