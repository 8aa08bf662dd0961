import { changePasswordInput, changePasswordResult } from '../../core/accounts/password/change-password.ts';
import { confirmPasswordResetInput } from '../../core/accounts/password/confirm-password-reset.ts';
import { requestPasswordResetInput } from '../../core/accounts/password/request-password-reset.ts';
import { onlyMessage, success } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';
import { okSession } from './session-answer.ts';

export const PASSWORD_RULES = [
  'password_too_short',
  'password_too_long',
  'password_not_allowed',
  'password_too_common',
] as const;

/** Password reset by an emailed code, and password change. */
export const passwordRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/password-reset',
    summary: 'Mail a reset code, if there is a verified account with this email',
    bucket: 'resend',
    countsAccount: true,
    body: requestPasswordResetInput,
    answers: {
      200: { description: 'The same answer for every email.', schema: onlyMessage },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.requestPasswordReset(body, caller, admitAccount)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/password-reset/confirm',
    summary: 'Set a new password with the emailed code; every session ends',
    bucket: 'verify',
    countsAccount: true,
    body: confirmPasswordResetInput,
    answers: {
      200: { description: 'The password is changed.', schema: success },
      400: {
        description: 'The email or the new password breaks a rule.',
        errors: ['invalid_email', ...PASSWORD_RULES],
      },
      401: {
        description: 'The code is wrong, void (after five wrong attempts) or expired.',
        errors: ['invalid_code'],
      },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.confirmPasswordReset(body, caller, admitAccount)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change the password; the other sessions end, and this one goes on with new tokens',
    bucket: 'password',
    session: 'renews',
    body: changePasswordInput,
    answers: {
      200: {
        description: 'The password is changed. Earlier tokens of this session are no longer valid.',
        schema: changePasswordResult,
      },
      400: {
        description: 'The new password breaks a rule, or the current one or the code is missing.',
        errors: ['password_required', 'code_required', ...PASSWORD_RULES],
      },
      403: staleResponse(),
      401: {
        description: 'The current password or the code is wrong.',
        errors: ['wrong_credentials', 'invalid_two_factor_code'],
      },
      429: { description: 'Too many wrong attempts.', errors: ['login_held', 'two_factor_held'] },
    },
    example: { body: { currentPassword: 'correct horse battery', newPassword: 'correct horse battery' } },
    run: async ({ body, principal, caller }) =>
      okSession(await accounts.changePassword(principal, body, caller)),
  }),
];
