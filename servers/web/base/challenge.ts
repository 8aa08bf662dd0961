import type { AccountsSchemas } from '../../client/index.ts';

/** A sign-in that waits for the second factor. It does not hold the password, which was accepted. */
export interface Challenge extends Pick<AccountsSchemas['LoginChallenge'], 'pendingToken' | 'methods'> {
  readonly email: string;
}
