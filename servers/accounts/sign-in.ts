import { CANONICAL_EMAIL } from '../../core/accounts/email.ts';
import { refreshInput, tokenPair } from '../../core/accounts/sessions/refresh.ts';
import { reauthenticateInput, reauthenticateResult } from '../../core/accounts/sign-in/reauthenticate.ts';
import { signInAnswer, signInInput } from '../../core/accounts/sign-in/sign-in.ts';
import { success } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { constant, describedAs } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';
import { proofResponses } from './proof-responses.ts';
import { okSession } from './session-answer.ts';

/** Members of the refusal `email_not_verified`. */
const unverified = {
  emailVerified: constant(false, { description: 'With `email_not_verified`' }),
  email: describedAs(
    CANONICAL_EMAIL,
    'With `email_not_verified`: the address to which a new code is on its way',
  ),
};

/** The refusals of a sign-in by password, to the account service or to the console. */
export const SIGN_IN_REFUSALS = {
  400: {
    description: 'Something is missing, or breaks a rule.',
    errors: [
      'password_required',
      'code_required',
      'one_factor_only',
      'invalid_email',
      'password_too_long',
      'password_not_allowed',
    ],
  },
  401: {
    description:
      'Password or second factor is wrong. `email_not_verified`: the password is right, and a new code is mailed.',
    errors: ['wrong_credentials', 'invalid_two_factor_code', 'invalid_passkey', 'email_not_verified'],
    details: unverified,
  },
  429: proofResponses[429],
} as const;

/** Sign-in, refresh and sign-out: spec section 4.1. A fresh proof of the caller's identity: RFC 9470. */
export const signInRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in with email and password, and the second factor if it is on',
    bucket: 'login',
    countsAccount: true,
    session: 'begins',
    body: signInInput,
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
    answers: {
      200: {
        description: 'Signed in, or `requires2FA` with a `pendingToken` for the second call.',
        schema: signInAnswer,
      },
      ...SIGN_IN_REFUSALS,
    },
    run: async ({ body, caller, admitAccount }) =>
      okSession(await accounts.logIn(body, caller, admitAccount)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Exchange a refresh token for a new pair',
    body: refreshInput,
    answers: {
      200: { description: 'A new access token and a new refresh token.', schema: tokenPair },
      401: { description: 'The refresh token is wrong, used or expired.', errors: ['invalid_refresh_token'] },
    },
    run: async ({ body, caller }) => ok(await accounts.refresh(body, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session of the access token',
    access: 'bearer_restricted',
    session: 'ends',
    answers: {
      200: {
        description: 'The session has ended, and its tokens are no longer valid.',
        schema: success,
      },
    },
    run: async ({ principal, caller }) => ok(await accounts.logOut(principal, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Prove the caller’s identity again, for calls that need a fresh proof',
    access: 'bearer_restricted',
    bucket: 'password',
    session: 'renews',
    body: reauthenticateInput,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: {
        description: 'Calls that need a fresh proof succeed until `freshUntil`.',
        schema: reauthenticateResult,
      },
      ...proofResponses,
      400: { ...proofResponses[400], errors: [...proofResponses[400].errors, 'one_factor_only'] },
      401: {
        ...proofResponses[401],
        errors: [...proofResponses[401].errors, 'invalid_flow', 'invalid_passkey'],
      },
    },
    run: async ({ body, principal, caller }) => ok(await accounts.reauthenticate(principal, body, caller)),
  }),
];
