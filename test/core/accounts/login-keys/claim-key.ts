import type { Account } from '../../../../core/accounts/account.ts';
import type { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import type { LoginKeyClaim } from '../../../../core/accounts/login-key.ts';

/** Claims a key that no other account has. */
export const claimKey = async (
  keys: Pick<ReturnType<typeof makeLoginKeys>, 'claim'>,
  account: Account,
  key: string,
): Promise<LoginKeyClaim> => {
  const claim = await keys.claim(account, key);
  if (claim === 'taken') throw new Error('Another account has the key.');
  return claim;
};
