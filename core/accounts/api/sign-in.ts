import type { OnlyMessage, Success } from '../../answer-schemas.ts';
import type { Caller } from '../caller.ts';
import type { CodeMailed } from '../code-mail-limits.ts';
import type { ChangePasswordInput, ChangePasswordResult } from '../password/change-password.ts';
import type { ConfirmPasswordResetInput } from '../password/confirm-password-reset.ts';
import type { RequestPasswordResetInput } from '../password/request-password-reset.ts';
import type { Principal } from '../principal.ts';
import type { RegisterInput } from '../registration/register.ts';
import type { ResendVerificationInput, VerifyEmailInput } from '../registration/verify-email.ts';
import type {
  ConfigureTwoFactorInput,
  ConfigureTwoFactorResult,
} from '../second-factor/configure-two-factor.ts';
import type { SignInChallenge } from '../second-factor/pending-sign-in.ts';
import type { RenewRecoveryCodesInput, RenewRecoveryCodesResult } from '../second-factor/recovery-codes.ts';
import type { SignInResult } from '../sessions/open-session.ts';
import type { ReauthenticateInput, ReauthenticateResult } from '../sign-in/reauthenticate.ts';
import type { SignInInput } from '../sign-in/sign-in.ts';
import type { ChargeAllowance } from '../throttle-keys.ts';

/** Registration, sign-in, passwords and second factors. */
export interface SignIn {
  /**
   * Creates an account and mails a verification code. A second registration of an unverified email replaces the first
   * registration. Throws `invalid` (`invalid_email`, `invalid_display_name`, `password_too_short` and the other
   * password rules) and `conflict` (`email_taken`). Spec section 4.1.
   */
  register(input: RegisterInput, caller: Caller): Promise<CodeMailed>;
  /**
   * Verifies the email with the mailed code, and signs the user in. Throws `unauthenticated` (`invalid_code` for a
   * wrong or expired code and for an email that is unknown or already verified; `wrong_credentials` for a password
   * other than the newest registration's, or a wrong `signUpToken`; the code stays valid), `invalid` (`invalid_email`,
   * `password_too_long`, `password_not_allowed`), `conflict` (`email_taken`, `identity_taken`) and `throttled`
   * (`verification_held`) after too many wrong attempts.
   */
  verifyEmail(input: VerifyEmailInput, caller: Caller, charge?: ChargeAllowance): Promise<SignInResult>;
  /**
   * Mails a new verification code and invalidates the last code. An unknown email, or an email over its daily
   * allowance, gets the same response and no mail; its last code stays valid. Throws `conflict` (`already_verified`) and
   * `invalid` (`invalid_email`).
   */
  resendVerification(
    input: ResendVerificationInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<OnlyMessage>;
  /**
   * Signs in with email and password. If a second factor is on, the first call returns `requires2FA` with a
   * `pendingToken`; the second call sends this token and a code. `charge` counts the call in the account's allowance
   * before any password is checked. Throws `unauthenticated` (`wrong_credentials`, `email_not_verified`,
   * `invalid_two_factor_code`, `invalid_passkey`), `invalid` (`invalid_email`, `password_required`, `password_too_long`,
   * `password_not_allowed`, `code_required`, `one_factor_only`) and `throttled` (`login_held`, `two_factor_held`).
   */
  logIn(
    input: SignInInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<SignInResult | SignInChallenge>;
  /**
   * Reauthenticates the caller. For `REAUTH_SECONDS` the session may then make calls that need a fresh authentication.
   * Throws `invalid` (`password_required`, `password_too_long`, `password_not_allowed`, `code_required`,
   * `one_factor_only`), `unauthenticated` (`wrong_credentials`, `invalid_two_factor_code`, `invalid_flow`,
   * `invalid_passkey`), `forbidden` (`cookie_needed`) and `throttled` (`login_held`, `two_factor_held`). RFC 9470.
   */
  reauthenticate(who: Principal, input: ReauthenticateInput, caller: Caller): Promise<ReauthenticateResult>;
  /**
   * Mails a code to reset the password. The response is the same for every email, also if no mail is sent: beyond the
   * daily allowance, or if a stranger requests a code while a code is valid that was requested from the owner's own address
   * or by an operator. The previous code then stays valid. Throws `invalid` (`invalid_email`).
   */
  requestPasswordReset(
    input: RequestPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<OnlyMessage>;
  /**
   * Sets a new password with the mailed code. Ends every session and every password lockout, and forgets all known
   * addresses except the caller's. The second factor stays on. Throws `unauthenticated` (`invalid_code`) and `invalid`:
   * `invalid_email`, or a password that breaks a rule.
   */
  confirmPasswordReset(
    input: ConfirmPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<Success>;
  /**
   * Changes or sets the password. Ends the user's other sessions, issues new tokens for the calling session, and
   * forgets all known addresses except the caller's. Throws as `reauthenticate` by password and code does, `forbidden`
   * (`fresh_authentication_needed`) if there was no password, and `invalid` for a password that breaks a rule.
   */
  changePassword(who: Principal, input: ChangePasswordInput, caller: Caller): Promise<ChangePasswordResult>;
  /**
   * Turns two-factor authentication on in two steps, or off. `enable` alone begins and returns the secret with its QR
   * code; `enable` with the code and the secret confirms and returns recovery codes; `enable: false` with a code turns it
   * off. Both the confirmation and the turning off end the user's other sessions. Throws `invalid`
   * (`invalid_two_factor_code`, `two_factor_not_pending`, `code_required`), `conflict` (`two_factor_on`, `two_factor_off`),
   * `throttled` (`two_factor_held`) and, to begin, `forbidden` (`fresh_authentication_needed`), or the refusals of a
   * password as `reauthenticate` has them. RFC 6238.
   */
  configureTwoFactor(
    who: Principal,
    input: ConfigureTwoFactorInput,
    caller: Caller,
  ): Promise<ConfigureTwoFactorResult>;
  /**
   * Creates new recovery codes, invalidates the old codes and notifies the user by mail. Throws `unauthenticated`
   * (`invalid_two_factor_code`), `throttled` (`two_factor_held`) and `conflict` (`two_factor_off`).
   */
  renewRecoveryCodes(
    who: Principal,
    input: RenewRecoveryCodesInput,
    caller: Caller,
  ): Promise<RenewRecoveryCodesResult>;
}
