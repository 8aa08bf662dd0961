import type {
  Accounts,
  ChangePasswordInput,
  ConfirmPasswordResetInput,
  RequestPasswordResetInput,
} from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { email, password, typedCode, verificationCode } from './fields.ts';
import { messageResponse, successResponse } from './responses/account.ts';
import { staleResponse } from './responses/fresh.ts';
import { passwordResponse } from './responses/login.ts';
import { signedIn } from './signed-in.ts';

const requestBody = schemaOf<RequestPasswordResetInput>()({
  type: 'object',
  properties: { email },
  required: ['email'],
});

const confirmBody = schemaOf<ConfirmPasswordResetInput>()({
  type: 'object',
  properties: {
    email,
    code: typedCode,
    newPassword: password,
  },
  required: ['email', 'code', 'newPassword'],
});

const changeBody = schemaOf<ChangePasswordInput>()({
  type: 'object',
  properties: {
    currentPassword: { ...password, description: 'Needed when the account has one' },
    newPassword: password,
    verificationCode,
  },
  required: ['newPassword'],
});

const passwordRules = [
  'password_too_short',
  'password_too_long',
  'password_not_allowed',
  'password_too_common',
];

/** Password reset by an emailed code, and password change. */
export const passwordRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  route({
    method: 'POST',
    path: '/api/auth/password-reset',
    summary: 'Mail a reset code, if there is a verified account with this email',
    access: 'open',
    bucket: 'resend',
    countsAccount: true,
    body: requestBody,
    answers: {
      200: { description: 'The same answer for every email.', schema: messageResponse },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.requestPasswordReset(body, caller, admitAccount)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/password-reset/confirm',
    summary: 'Set a new password with the emailed code; every session ends',
    access: 'open',
    bucket: 'verify',
    countsAccount: true,
    body: confirmBody,
    answers: {
      200: { description: 'The password is changed.', schema: successResponse },
      400: {
        description: 'The email or the new password breaks a rule.',
        errors: ['invalid_email', ...passwordRules],
      },
      401: { description: 'The code is wrong, void or expired.', errors: ['invalid_code'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.confirmPasswordReset(body, caller, admitAccount)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change the password; the other sessions end, and this one goes on with new tokens',
    access: 'bearer',
    bucket: 'password',
    session: 'renews',
    body: changeBody,
    answers: {
      200: {
        description: 'The password is changed. Earlier tokens of this session are no longer valid.',
        schema: passwordResponse,
      },
      400: {
        description: 'The new password breaks a rule, or the current one or the code is missing.',
        errors: ['password_required', 'code_required', ...passwordRules],
      },
      403: staleResponse(),
      401: {
        description: 'The current password or the code is wrong.',
        errors: ['wrong_credentials', 'invalid_two_factor_code'],
      },
      429: { description: 'Too many wrong attempts.', errors: ['login_held', 'two_factor_held'] },
    },
    example: { body: { currentPassword: 'correct horse battery', newPassword: 'correct horse battery' } },
    run: async ({ body, principal, caller }) => ok(await accounts.changePassword(principal, body, caller)),
  }),
];
