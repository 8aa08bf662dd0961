import { invalid } from '../errors.ts';
import { type Caller, calledFrom } from './caller.ts';
import type { Deps } from './deps.ts';
import { invalidToken, lockedOut, wrongCredentials } from './errors.ts';
import { knownAddressDigest } from './known-address.ts';
import { normalizePassword } from './password-rules.ts';
import { DAY } from './policy.ts';
import type { User } from './principal.ts';
import { hashedFor, passwordAttemptsKey } from './throttle-keys.ts';

/**
 * Asks a signed-in user for the password again. Wrong passwords count as those at sign-in, with the same lockout.
 * Throws `invalid` (`password_required`), `unauthenticated` (`wrong_credentials`), `throttled` (`login_held`).
 */
export const checkCurrentPassword = async (
  deps: Deps,
  { id }: User,
  rawPassword: string | undefined,
  caller: Caller,
): Promise<void> => {
  const { accounts, clock, digest, hasher, log, policy, tries } = deps;
  if (rawPassword === undefined) throw invalid('password_required', 'The password is missing.');
  const password = normalizePassword(rawPassword, policy.passwordLongest);
  const account = await accounts.find(id);
  if (account === undefined || account.deletedAt !== null) throw invalidToken();
  const addressDigest = knownAddressDigest(digest, policy, account, caller.client, clock.now());
  const key = passwordAttemptsKey(digest, account.email, addressDigest);
  const attempts = await tries.find(key, clock.now());
  const fields = { userId: id, ...calledFrom(caller) };
  const refuseLockedOut = (firstAt: number) => {
    log.warn('password.held', fields);
    return lockedOut('login_held', firstAt + DAY, clock.now());
  };
  if (attempts !== undefined && attempts.count >= policy.wrongPasswordsADay)
    throw refuseLockedOut(attempts.firstAt);
  const options = { ...hashedFor(deps, account.email, account, caller), typed: rawPassword };
  if ((await hasher.verify(password, account.passwordHash, options)).right) return;
  log.info('password.wrong', fields);
  const updatedAttempts = await tries.add(key, DAY, clock.now());
  throw updatedAttempts.count > policy.wrongPasswordsADay
    ? refuseLockedOut(updatedAttempts.firstAt)
    : wrongCredentials();
};
