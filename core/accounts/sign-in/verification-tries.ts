import { codeTriesKey, networkCodeTriesKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { DAY } from '../policy.ts';
import type { Bounded } from '../ports.ts';

/** Who tries a code for which email. */
export interface CodeTry {
  readonly email: string;
  /** Undefined where the email has no account. */
  readonly userId: string | undefined;
  /** The client network. */
  readonly client: string;
}

/** The wrong verification codes of a day: for an email and each client network, and for the email alone. */
export const makeVerificationTries = ({
  clock,
  digest,
  policy,
  tries,
}: Pick<Kit, 'clock' | 'digest' | 'policy' | 'tries'>) => {
  const countsOf = ({ email, userId, client }: CodeTry): readonly Bounded[] => [
    { key: networkCodeTriesKey(digest, email, client), most: policy.networkWrongCodesADay },
    { key: codeTriesKey(digest, email, userId), most: policy.wrongCodesADay },
  ];

  return {
    /** The end of the hold, epoch milliseconds; undefined when there is none. */
    heldUntil: async (from: CodeTry): Promise<number | undefined> => {
      const now = clock.now();
      const ends = await Promise.all(
        countsOf(from).map(async ({ key, most }) => {
          const found = await tries.find(key, now);
          return found !== undefined && found.count >= most ? found.firstAt + DAY : 0;
        }),
      );
      return Math.max(...ends) || undefined;
    },

    /**
     * Counts a wrong try. Gives the end of the hold when the try came in beside others that used up what is allowed;
     * a network beyond its own number counts no further for the email.
     */
    add: async (from: CodeTry): Promise<number | undefined> => {
      const over = await tries.addInTurn(countsOf(from), DAY, clock.now());
      return over && over.firstAt + DAY;
    },
  };
};
