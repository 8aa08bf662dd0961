import type { CoreError } from '../errors.ts';
import type { Account } from './account.ts';
import type { Decision } from './change-account.ts';
import type { Deps } from './deps.ts';
import { invalidToken } from './errors.ts';
import type { Principal } from './principal.ts';

/** Finds the account of an authenticated user. Throws `unauthenticated` (`invalid_token`) if it was deleted meanwhile. */
export const findOwnAccount = async (
  { accounts }: Pick<Deps, 'accounts'>,
  { user }: Pick<Principal, 'user'>,
): Promise<Account> => {
  const account = await accounts.find(user.id);
  if (account === undefined || account.deletedAt !== null) throw invalidToken();
  return account;
};

/**
 * Changes the account of an authenticated user. Another change, such as a new password, may have ended the user's sessions
 * meanwhile by a new `sessionEpoch`. An ended session may be a thief's, so it changes nothing; `refusal` is the error.
 */
export const changeOwnAccount = <T>(
  { changeUser }: Pick<Deps, 'changeUser'>,
  { user }: Pick<Principal, 'user'>,
  decide: (account: Account) => Decision<T> | Promise<Decision<T>>,
  refusal: (account: Account) => CoreError = invalidToken,
): Promise<T> =>
  changeUser<T>(user.id, (account) =>
    account.sessionEpoch === user.sessionEpoch ? decide(account) : { next: null, refuse: refusal(account) },
  );
