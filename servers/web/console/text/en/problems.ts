import { commonCodes, offline, unexpected } from '../../../text/en/common-codes.ts';

/** What each refusal means to operators, unless only actions on a user receive it. `{time}` is when it ends. */
const codes = {
  ...commonCodes,
  cookie_needed: 'Sign in again.',
  cookie_replaced: 'Sign in again.',
  event_not_found: 'This delivery no longer exists.',
  internal: unexpected,
  invalid_cursor: 'This page of the list has expired. Go back to the beginning.',
  invalid_prefix: 'Enter at least two characters.',
  invalid_reason: 'Enter a reason of 1 to 500 characters, without hidden formatting marks.',
  invalid_time: 'Choose a date.',
  login_held: 'Too many wrong passwords. Try again after {time}.',
  mail_not_found: 'This email is no longer waiting.',
  not_found: 'This page does not exist.',
  operators_only: 'You are not an operator, or your role is too low.',
  two_factor_required: 'Operators need two-factor authentication. Turn it on first.',
  unknown_tier: 'This tier doesn’t exist.',
  user_not_found: 'User not found.',
};

export const problems = { codes, unexpected, offline };
