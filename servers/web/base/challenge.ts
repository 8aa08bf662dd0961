import type { AccountsSchemas } from '../../client/index.ts';

/** A sign-in that waits for the second factor. It holds no password. */
export interface Challenge extends Pick<AccountsSchemas['LoginChallenge'], 'pendingToken' | 'methods'> {
  readonly email: string;
}
