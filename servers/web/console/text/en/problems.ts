import { commonCodes, offline, unexpected } from '../../../text/en/common-codes.ts';

/** What each refusal means to operators. `{time}` is when it ends. */
const codes = {
  ...commonCodes,
  already_running: 'It is already running.',
  already_verified: 'This email is already verified.',
  changed_meanwhile: 'Somebody else changed this account. It has been reloaded: check it, then try again.',
  cookie_needed: 'Sign in again.',
  cookie_replaced: 'Sign in again.',
  event_not_found: 'This delivery was removed.',
  internal: unexpected,
  invalid_cursor: 'This page of the list has expired. Go back to the beginning.',
  invalid_limit: 'Enter a whole number.',
  invalid_prefix: 'Enter two characters or more.',
  invalid_reason: 'Write a reason of 1 to 500 characters.',
  invalid_request: 'Something in this form or address is invalid.',
  invalid_time: 'Choose a day.',
  invalid_until: 'Choose a time in the future.',
  last_founder:
    'No other founder could enter the console. Appoint one who has two-factor authentication on first.',
  login_held: 'Too many wrong passwords. Try again after {time}.',
  mail_not_found: 'This mail is no longer waiting.',
  not_found: 'This page does not exist.',
  operators_only: 'This account is not an operator’s, or its role is too low.',
  own_account: 'You cannot do this to your own account. Ask another operator.',
  too_many_code_mails: 'Too many codes went to this email. Try again after {time}.',
  two_factor_required: 'Operators need two-factor sign-in. Switch it on first.',
  unknown_tier: 'There is no such tier.',
  user_not_found: 'There is no such user.',
};

export const problems = { codes, unexpected, offline };
