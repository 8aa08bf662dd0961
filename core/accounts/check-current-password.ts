import { invalid } from '../errors.ts';
import { type Caller, calledFrom } from './caller.ts';
import type { Deps } from './deps.ts';
import { findOwnAccount } from './own-account.ts';
import type { User } from './principal.ts';
import { verifyPassword } from './verify-password.ts';

/**
 * Asks a signed-in user for the password again. Wrong passwords count as those at sign-in, with the same lockout.
 * Throws `invalid` (`password_required`, `password_too_long`, `password_not_allowed`), `unauthenticated`
 * (`wrong_credentials`, `invalid_token`), `throttled` (`login_held`, `too_many_at_once`).
 */
export const checkCurrentPassword = async (
  deps: Deps,
  user: User,
  typed: string | undefined,
  caller: Caller,
): Promise<void> => {
  if (typed === undefined) throw invalid('password_required', 'The password is missing.');
  const account = await findOwnAccount(deps, { user });
  const fields = { userId: user.id, ...calledFrom(caller) };
  await verifyPassword(deps, { email: account.email, account, typed }, caller, {
    wrong: () => deps.log.info('password.wrong', fields),
    lockedOut: () => deps.log.warn('password.held', fields),
  });
};
