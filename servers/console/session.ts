import { passkeyAssertion } from '../../core/accounts/passkeys/check-assertion.ts';
import { signInResult } from '../../core/accounts/sessions/open-session.ts';
import { signInAnswer, signInInput } from '../../core/accounts/sign-in/sign-in.ts';
import type { Accounts } from '../../core/index.ts';
import { okSession } from '../accounts/session-answer.ts';
import { SIGN_IN_REFUSALS } from '../accounts/sign-in.ts';
import { type AnyRoute, openRoute } from '../http/route.ts';

const NOT_ADMITTED = {
  description: 'Authenticated, but not admitted to the console.',
  errors: ['operators_only', 'two_factor_required', 'account_banned', 'account_disabled'],
} as const;

/** Sign-in to the operators' console. For `session: 'console'` the core admits only operators. */
export const consoleSessionRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/admin/sign-in',
    summary: 'Sign in to the console, as an operator with a second factor',
    bucket: 'login',
    countsAccount: true,
    session: 'console',
    body: signInInput,
    example: { body: { email: 'eve@example.com', password: 'correct horse battery' } },
    answers: {
      200: {
        description:
          'Signed in, with the cookie, or `requires2FA` with a `pendingToken` for the second call.',
        schema: signInAnswer,
      },
      ...SIGN_IN_REFUSALS,
      403: NOT_ADMITTED,
    },
    run: async ({ body, caller, admitAccount }) =>
      okSession(await accounts.logIn(body, caller, admitAccount)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/admin/sign-in/passkey',
    summary: 'Sign in to the console with a passkey, which is both factors',
    bucket: 'login',
    session: 'console',
    body: passkeyAssertion,
    answers: {
      200: { description: 'Signed in, with the cookie.', schema: signInResult },
      401: { description: 'Not signed in, whatever the reason.', errors: ['invalid_passkey'] },
      403: NOT_ADMITTED,
    },
    run: async ({ body, caller }) => okSession(await accounts.passkeys.logIn(body, caller)),
  }),
];
