import type { PageCode, RefusalCode, SecurityCode, SettingsCode } from '../refusal-codes.ts';
import { commonCodes, down, offline, unexpected } from './common-codes.ts';

/** What each refusal means to people, unless it stands in the texts of an area. `{time}` is when it ends. */
const codes: Readonly<Record<Exclude<RefusalCode | PageCode, SecurityCode | SettingsCode>, string>> = {
  ...commonCodes,
  access_denied: 'You cancelled the sign-in.',
  provider_error: 'The other site could not sign you in. Try again, or sign in another way.',
  provider_unavailable: 'The other site is not responding. Try again in a moment, or sign in another way.',
  provider_answer_invalid:
    'We could not verify the response of the other site. Try again, or sign in another way.',
  state_unknown: 'This sign-in was started in another tab or has expired. Start again.',
  account_exists: 'An account with this email already exists. Sign in to it first.',
  already_verified: 'This email is already verified. Sign in.',
  billing_unavailable: down,
  cookie_needed: 'Sign in again in this browser to continue.',
  cookie_replaced: 'Sign in again in this browser to continue.',
  email_change_held: 'Your email was changed too often. Try again after {time}.',
  email_taken: 'An account with this email already exists.',
  flow_lost: 'This sign-in has expired. Start again.',
  headers_too_large: unexpected,
  identity_taken: 'Another account uses this sign-in method.',
  invalid_billing_cycle: unexpected,
  invalid_code: 'This code is wrong or has expired.',
  invalid_plan: unexpected,
  invalid_return_to: "The app's address is not registered. Go back to the app and start again.",
  login_held: 'Too many wrong passwords. Try again after {time}, or reset your password.',
  one_factor_only: 'Use a code or a passkey, not both.',
  passkey_not_found: 'This passkey was removed.',
  password_not_allowed: 'This password has characters that cannot be used.',
  password_too_common: 'This password is too common. Choose another one.',
  password_too_long: 'This password is too long.',
  password_too_short: 'Use 8 characters or more.',
  provider_not_found: unexpected,
  sign_up_closed: 'New accounts cannot be created this way.',
  too_many_identities: 'You can add up to 20 sign-in methods.',
  too_many_uploads: down,
  two_factor_off: 'Two-factor authentication is off.',
  two_factor_on: 'Two-factor authentication is already on.',
  uploads_full: down,
  verification_held: 'Too many wrong codes. Try again after {time}.',
  wrong_account: 'This sign-in belongs to another email.',
  cross_site: unexpected,
};

export const problems = { codes, unexpected, offline };
