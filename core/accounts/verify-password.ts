import { invalid } from '../errors.ts';
import type { Account } from './account.ts';
import { type Caller, calledFrom } from './caller.ts';
import { findOwnAccount } from './change-account.ts';
import type { Deps } from './deps.ts';
import { lockedOut, wrongCredentials } from './errors.ts';
import { knownAddressDigest } from './known-address.ts';
import { normalizePassword } from './password-rules.ts';
import { DAY } from './policy.ts';
import type { User } from './principal.ts';
import { hashOptionsFor, passwordAttemptsKey } from './throttle-keys.ts';

/** How a caller logs a wrong password, and a lockout. */
interface PasswordLogs {
  readonly wrong: () => void;
  readonly lockedOut: () => void;
}

interface PasswordAttempt {
  readonly email: string;
  /** The account with this email; undefined if there is none. */
  readonly account: Account | undefined;
  /** The password as it was typed, before normalization: another product may have hashed that. */
  readonly typed: string;
}

/** An account whose password was right. */
export interface VerifiedPassword {
  readonly account: Account;
  /** The password if its hash has outdated parameters, so that it can be hashed again; else null. */
  readonly passwordToRehash: string | null;
}

/**
 * Verifies the password for an email, at the same cost whether or not the email has an account. Too many wrong passwords
 * lock the email for a day. Each IP address that the owner used lately has a count of its own. Throws `unauthenticated`
 * (`wrong_credentials`), `throttled` (`login_held`), and what `normalizePassword` and the hasher throw.
 */
export const verifyPassword = async (
  deps: Pick<Deps, 'clock' | 'digest' | 'hasher' | 'policy' | 'attempts'>,
  { email, account, typed }: PasswordAttempt,
  caller: Caller,
  logs: PasswordLogs,
): Promise<VerifiedPassword> => {
  const { clock, digest, hasher, policy, attempts } = deps;
  const password = normalizePassword(typed, policy.passwordLongest);
  const addressDigest = knownAddressDigest(deps, account, caller.client);
  const key = passwordAttemptsKey(digest, email, addressDigest);
  const lockout = (firstAt: number) => {
    logs.lockedOut();
    return lockedOut('login_held', firstAt + DAY, clock.now());
  };
  const counter = await attempts.find(key, clock.now());
  if (counter !== undefined && counter.count >= policy.wrongPasswordsADay) throw lockout(counter.firstAt);
  const options = { ...hashOptionsFor(deps, email, account, caller), typed };
  const hash = account?.passwordHash ?? null;
  const { isCorrect, isOutdated } = await hasher.verify(password, hash, options);
  if (account !== undefined && isCorrect) return { account, passwordToRehash: isOutdated ? password : null };
  logs.wrong();
  const updatedCounter = await attempts.add(key, DAY, clock.now());
  // Above the limit only if other attempts were counted since the check above.
  throw updatedCounter.count > policy.wrongPasswordsADay
    ? lockout(updatedCounter.firstAt)
    : wrongCredentials();
};

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
