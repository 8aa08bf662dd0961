import type { ErrorCode } from '../error-codes.ts';
import { CoreError } from '../errors.ts';
import type { Log } from '../ports.ts';
import { type Caller, calledFrom } from './caller.ts';

/** Whole seconds from now until `time`, at least 1 and at most a day. */
export const secondsUntil = (time: number, now: number): number =>
  Math.min(86_400, Math.max(1, Math.ceil((time - now) / 1000)));

export const wrongCredentials = () =>
  new CoreError('unauthenticated', 'wrong_credentials', 'Email or password is wrong.');

export const invalidCode = () =>
  new CoreError('unauthenticated', 'invalid_code', 'The code is wrong, was used, or has expired.');

export const invalidTwoFactorCode = () =>
  new CoreError(
    'unauthenticated',
    'invalid_two_factor_code',
    'The two-factor code is wrong or was used already.',
  );

export const invalidToken = () =>
  new CoreError('unauthenticated', 'invalid_token', 'The access token is missing, wrong or no longer valid.');

export const invalidRefreshToken = () =>
  new CoreError(
    'unauthenticated',
    'invalid_refresh_token',
    'The refresh token is wrong, was used, or has expired.',
  );

export const emailNotVerified = (email: string) =>
  new CoreError(
    'unauthenticated',
    'email_not_verified',
    'The email is not verified yet; we sent a code to it.',
    {
      details: { emailVerified: false, email },
    },
  );

export const emailTaken = () =>
  new CoreError('conflict', 'email_taken', 'An account with this email already exists.');

export const alreadyVerified = () =>
  new CoreError('conflict', 'already_verified', 'This email is already verified; sign in.');

export const domainTaken = () =>
  new CoreError('conflict', 'domain_taken', 'This domain is in use by another user.');

/** Too many wrong attempts; the lockout ends after `retryAfter` seconds. */
export const lockedOut = (code: ErrorCode, until: number, now: number) =>
  new CoreError('throttled', code, 'Too many wrong attempts; try again later.', {
    retryAfter: secondsUntil(until, now),
  });

const RESTRICTED = {
  account_banned: 'This account is banned.',
  account_disabled: 'This account is disabled.',
  operators_only: 'Only operators may do this.',
  second_factor_required: 'Operators need two-factor authentication: turn it on first.',
  two_factor_required: 'The console needs two-factor authentication: turn it on in your account first.',
  enterprise_only: 'Custom domains come with the enterprise tier.',
  cookie_needed: 'This needs the cookie of the session: a token is not enough.',
} as const;

export const restricted = (code: keyof typeof RESTRICTED) =>
  new CoreError('forbidden', code, RESTRICTED[code]);

export const accountNotFound = () => new CoreError('missing', 'user_not_found', 'There is no such user.');

/** Logs that a user may not do what they asked for, and returns the error to throw. */
export const refuseAccess = (
  log: Log,
  userId: string,
  reason: Parameters<typeof restricted>[0],
  caller: Caller | undefined,
): CoreError => {
  log.info('access.refused', { userId, reason, ...(caller && calledFrom(caller)) });
  return restricted(reason);
};
