import type { Admit } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { LoginAnswer } from '../sessions/open-session.ts';
import type { LoginChallenge } from '../sessions/pending-login.ts';
import type { ChangePassword, PasswordChanged } from '../sign-in/change-password.ts';
import type { ConfigureTwoFactor, TwoFactorAnswer } from '../sign-in/configure-two-factor.ts';
import type { ConfirmPasswordReset } from '../sign-in/confirm-password-reset.ts';
import type { LogIn } from '../sign-in/log-in.ts';
import type { Reauthenticate, Reauthenticated } from '../sign-in/reauthenticate.ts';
import type { RenewRecoveryCodes } from '../sign-in/recovery-codes.ts';
import type { Register } from '../sign-in/register.ts';
import type { RequestPasswordReset } from '../sign-in/request-password-reset.ts';
import type { ResendVerification } from '../sign-in/resend-verification.ts';
import type { VerifyEmail } from '../sign-in/verify-email.ts';

/** Registration, login, passwords and second factors. */
export interface SignIn {
  /**
   * Creates an account and mails a verification code. A second registration of an email that is not verified yet
   * replaces the first. Throws `invalid` (`invalid_email`, `invalid_display_name`, `password_too_short` and the other
   * password rules) and `conflict` (`email_taken`). Spec section 4.1.
   */
  register(input: Register, caller: Caller): Promise<{ readonly message: string; readonly email: string }>;
  /**
   * Verifies the email with the mailed code, and logs the user in. Throws `unauthenticated` (`invalid_code` for a
   * wrong or expired code and for an email that is unknown or already verified; `wrong_credentials` for another
   * password than the newest registration's, which leaves the code good) and `throttled` (`verification_held`) after
   * too many wrong tries.
   */
  verifyEmail(input: VerifyEmail, caller: Caller): Promise<LoginAnswer>;
  /**
   * Mails a new verification code and voids the last one. An unknown email, or one over its daily allowance, gets the
   * same answer and no mail; its last code stays good. Throws `conflict` (`already_verified`).
   */
  resendVerification(input: ResendVerification, caller: Caller): Promise<{ readonly message: string }>;
  /**
   * Logs in with email and password. Where a second factor is on, the first call answers `requires2FA` with a
   * `pendingToken`; the second call sends that and a code. `admit` counts the call in the account's allowance before
   * any password is checked. Throws `unauthenticated` (`wrong_credentials`, `email_not_verified`,
   * `invalid_two_factor_code`), `invalid` (`password_required`, `code_required`) and `throttled` (`login_held`,
   * `two_factor_held`).
   */
  logIn(input: LogIn, caller: Caller, admit?: Admit): Promise<LoginAnswer | LoginChallenge>;
  /**
   * Proves once more who the caller is. For `REAUTH_SECONDS` the session may then do what needs a fresh proof. Throws
   * `invalid` (`password_required`, `code_required`), `unauthenticated` (`wrong_credentials`,
   * `invalid_two_factor_code`) and `throttled` (`login_held`, `two_factor_held`). RFC 9470.
   */
  reauthenticate(who: Identity, input: Reauthenticate, caller: Caller): Promise<Reauthenticated>;
  /**
   * Mails a code to reset the password. The answer is the same for every email, also when no mail goes out: beyond the
   * daily allowance, or when a stranger asks while a code is live that the owner's own address asked for. The code sent
   * before then stays good.
   */
  requestPasswordReset(input: RequestPasswordReset, caller: Caller): Promise<{ readonly message: string }>;
  /**
   * Sets a new password with the mailed code. Ends every session and every hold on the password, and forgets all known
   * addresses except the caller's. The second factor stays on. Throws `unauthenticated` (`invalid_code`) and `invalid`
   * for a password that breaks a rule.
   */
  confirmPasswordReset(input: ConfirmPasswordReset, caller: Caller): Promise<{ readonly success: true }>;
  /**
   * Changes the password, or sets the first one. Ends the user's other sessions, gives this one a new pair of tokens,
   * and forgets all known addresses except the caller's. Throws as `reauthenticate` does, `forbidden`
   * (`fresh_authentication_needed`) where there was no password, and `invalid` for a password that breaks a rule.
   */
  changePassword(who: Identity, input: ChangePassword, caller: Caller): Promise<PasswordChanged>;
  /**
   * Turns two-factor authentication on in two steps, or off; each ends the user's other sessions. `enable` alone begins
   * and answers the secret with its QR code; `enable` with the code and the secret confirms and answers recovery codes;
   * `enable: false` with a code turns it off. Throws `invalid` (`invalid_two_factor_code`, `two_factor_not_pending`,
   * `code_required`), `conflict` (`two_factor_on`, `two_factor_off`), `throttled` (`two_factor_held`) and, to begin,
   * `forbidden` (`fresh_authentication_needed`). RFC 6238.
   */
  configureTwoFactor(who: Identity, input: ConfigureTwoFactor, caller: Caller): Promise<TwoFactorAnswer>;
  /**
   * Makes new recovery codes, voids the old ones and tells the user by mail. Throws `unauthenticated`
   * (`invalid_two_factor_code`), `throttled` (`two_factor_held`) and `conflict` (`two_factor_off`).
   */
  renewRecoveryCodes(
    who: Identity,
    input: RenewRecoveryCodes,
    caller: Caller,
  ): Promise<{ readonly recoveryCodes: readonly string[] }>;
  /** The key under which a server counts the requests about an email. Throws `invalid` (`invalid_email`). */
  allowanceKey(email: string): string;
  /**
   * The same, apart for an address that the account's owner uses: strangers cannot use the owner's allowance up. Throws
   * `invalid` (`invalid_email`).
   */
  allowanceKeyAt(email: string, caller: Caller): Promise<string>;
}
