import type { AccountsSchemas } from '../../client/index.ts';

/** A sign-in that waits for the second factor, without the password. */
export interface Challenge {
  readonly email: string;
  readonly pendingToken: string;
  /** The possible methods; absent where passkeys are off. */
  readonly methods?: NonNullable<AccountsSchemas['LoginChallenge']['methods']>;
}

/** The part of the first response that the second step needs. */
export const challengeIn = ({
  pendingToken,
  methods,
}: AccountsSchemas['LoginChallenge']): Omit<Challenge, 'email'> => ({
  pendingToken,
  ...(methods !== undefined && { methods }),
});
