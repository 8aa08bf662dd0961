export const down = 'This is temporarily unavailable. Try again in a moment.';
export const unexpected = 'Something went wrong on our side. Try again.';
export const offline = 'No connection. Check your network, then try again.';

/** The refusals of any call, and the codes that all pages word alike. `{time}` is when a refusal ends. */
export const commonCodes = {
  account_banned: 'This account is banned.',
  account_disabled: 'This account is disabled.',
  busy: down,
  code_required: 'Enter the code.',
  contended: down,
  email_differs: 'This is not the email of the account.',
  email_not_verified: 'This email is not verified yet.',
  fresh_authentication_needed: 'Confirm your identity first.',
  hashing_failed: down,
  invalid_email: 'Enter an email, such as ada@example.com.',
  invalid_flow: 'This request has expired. Start again.',
  invalid_passkey: 'This passkey was not accepted.',
  invalid_request: 'This is incomplete or invalid.',
  invalid_token: 'You were signed out.',
  invalid_two_factor_code: 'This code is wrong, or was used before.',
  kms_unavailable: down,
  no_master_key: down,
  no_passkey: 'You have no passkey for this.',
  no_signing_key: down,
  passkey_not_shown: 'No passkey was used. Try again, or sign in another way.',
  password_required: 'Enter your password.',
  rate_limited: 'Too many attempts. Try again after {time}.',
  session_not_found: 'This session has already ended.',
  store_unavailable: down,
  too_many_at_once: down,
  two_factor_held: 'Too many wrong codes. Try again after {time}.',
  wrong_credentials: 'Email or password is wrong.',
  wrong_password: 'This is not your current password.',
};
