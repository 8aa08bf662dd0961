import { codeMailed } from '../../core/accounts/code-mail-limits.ts';
import { registerInput } from '../../core/accounts/registration/register.ts';
import { resendVerificationInput, verifyEmailInput } from '../../core/accounts/registration/verify-email.ts';
import { signInResult } from '../../core/accounts/sessions/open-session.ts';
import { onlyMessage } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { object, optional, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';
import { PASSWORD_RULES } from './password.ts';
import { okSession } from './session-answer.ts';

/** Of the routes in this file only the sign-up reads this header: the account stores the language for later mails. */
const languageHeader = object({
  'Accept-Language': optional(
    text({
      description:
        'The mail is in the preferred language that Gatehouse writes, English where it writes none of them',
      examples: ['pl'],
    }),
  ),
});

/** Sign-up: spec section 4.1, register to resend-verification. */
export const registrationRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Create an account, or replace a registration that is not verified yet',
    bucket: 'register',
    headers: languageHeader,
    body: registerInput,
    answers: {
      201: { description: 'A code is on its way to the email.', schema: codeMailed },
      400: {
        description: 'The input breaks a rule.',
        errors: ['invalid_email', 'invalid_display_name', ...PASSWORD_RULES],
      },
      409: {
        description: 'A verified account has this email.',
        errors: ['email_taken'],
      },
    },
    run: async ({ body, caller }) => ({ status: 201, body: await accounts.register(body, caller) }),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/verify-email',
    summary: 'Verify the email with the code from the mail, and sign in',
    bucket: 'verify',
    countsAccount: true,
    session: 'begins',
    body: verifyEmailInput,
    example: { body: { email: 'ada@example.com', code: '493021', password: 'correct horse battery' } },
    answers: {
      200: { description: 'Verified and signed in.', schema: signInResult },
      400: {
        description: 'The input breaks a rule.',
        errors: ['invalid_email', 'password_too_long', 'password_not_allowed'],
      },
      401: {
        description:
          '`invalid_code`: wrong, void, expired, or the email is unknown or verified. `wrong_credentials`: password or sign-up token is not of the newest registration; the code stays valid.',
        errors: ['invalid_code', 'wrong_credentials'],
      },
      409: {
        description:
          '`identity_taken`: another account has the identity of the sign-up meanwhile. `email_taken`: an account with ' +
          'this email was deleted, and the deletion can still be undone.',
        errors: ['identity_taken', 'email_taken'],
      },
      429: { description: 'Too many wrong attempts for the email.', errors: ['verification_held'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      okSession(await accounts.verifyEmail(body, caller, admitAccount)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/resend-verification',
    summary: 'Mail a new code; the previous one becomes void',
    bucket: 'resend',
    countsAccount: true,
    body: resendVerificationInput,
    answers: {
      200: {
        description: 'A code is on its way, if the email is not verified yet.',
        schema: onlyMessage,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      409: { description: 'The email is verified already.', errors: ['already_verified'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.resendVerification(body, caller, admitAccount)),
  }),
];
