import { authorizationCode, authorizeAppInput } from '../../core/accounts/app-authorization/authorize-app.ts';
import { redeemAuthorizationCodeInput } from '../../core/accounts/app-authorization/redeem-code.ts';
import { signInResult } from '../../core/accounts/sessions/open-session.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';
import { okSession } from './session-answer.ts';

const PAGES_OFF = { description: 'There are no pages here.', errors: ['not_found'] } as const;

/** App authorization: an authorization code with PKCE (RFC 7636) signs an app in for a user of the pages. */
export const appAuthorizationRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/handover',
    summary: 'Issue an authorization code for an app, from a session in a cookie',
    access: 'cookie',
    body: authorizeAppInput,
    answers: {
      200: { description: 'The code.', schema: authorizationCode },
      400: {
        description: 'The return address is not in the settings, or the challenge is malformed.',
        errors: ['invalid_return_to', 'invalid_challenge'],
      },
      403: {
        description: 'The session is an app’s own; only a session in a cookie can authorize an app.',
        errors: ['cookie_needed'],
      },
      404: PAGES_OFF,
    },
    run: async ({ body, principal, caller }) => ok(await accounts.authorizeApp(principal, body, caller)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/handover/redeem',
    summary: 'Sign an app in with the code that a page gave it',
    bucket: 'verify',
    session: 'begins',
    body: redeemAuthorizationCodeInput,
    answers: {
      200: { description: 'Signed in.', schema: signInResult },
      401: {
        description:
          'The code is wrong, was used, has expired or belongs to another address or verifier, or meanwhile the password was changed, the account restricted or the session at the pages ended. A second use ends the session of the first.',
        errors: ['invalid_code'],
      },
      404: PAGES_OFF,
    },
    run: async ({ body, caller }) => okSession(await accounts.redeemAuthorizationCode(body, caller)),
  }),
];
