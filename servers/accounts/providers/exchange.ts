import { codeMailed } from '../../../core/accounts/code-mail-limits.ts';
import { CANONICAL_EMAIL } from '../../../core/accounts/email.ts';
import { exchangeAnswer } from '../../../core/accounts/providers/exchange-code.ts';
import { flowCode } from '../../../core/accounts/providers/provider-flow.ts';
import { signUpByProviderInput } from '../../../core/accounts/providers/sign-up-by-provider.ts';
import type { Accounts } from '../../../core/index.ts';
import { describedAs, text } from '../../../core/schema.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, openRoute } from '../../http/route.ts';
import { okSession } from '../session-answer.ts';

/** Members of the refusal `account_exists`. */
const existing = {
  email: describedAs(CANONICAL_EMAIL, 'The email of the account and of the identity'),
  linkToken: text({
    description: 'For `link/confirm`, from a session of that account; valid once, for 10 minutes',
    examples: ['c2lnbi1pbg.bWFyaw'],
  }),
};

const INVALID_FLOW = 'The sign-in is unknown, was used, or has expired.';

/** The calls of the client after the callback: exchange the code for a session, or first set the email of a new account. */
export const exchangeRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/providers/exchange',
    summary: 'Sign in, or sign up, with the code of a provider flow',
    bucket: 'login',
    session: 'begins',
    body: flowCode,
    answers: {
      200: {
        description:
          'Logged in; or `requires2FA`, to go on at login; or `requiresEmail`, to go on at sign-up.',
        schema: exchangeAnswer,
      },
      401: { description: INVALID_FLOW, errors: ['invalid_flow'] },
      403: { description: 'Sign-up with this provider is closed.', errors: ['sign_up_closed'] },
      404: { description: 'The provider is no longer configured.', errors: ['provider_not_found'] },
      409: {
        description:
          'A verified account has this email: sign in to it, then link the identity. Or an account with this email was ' +
          'deleted, and the deletion can still be undone.',
        errors: ['account_exists'],
        details: existing,
      },
    },
    run: async ({ body, caller }) => okSession(await accounts.providers.exchange(body, caller)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/providers/sign-up',
    summary: 'Set the email of a new account whose provider verified none; a code is mailed to it',
    bucket: 'resend',
    countsAccount: true,
    body: signUpByProviderInput,
    answers: {
      200: {
        description: 'A code is on its way. It is valid together with `signUpToken`.',
        schema: codeMailed,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: { description: INVALID_FLOW, errors: ['invalid_flow'] },
      409: {
        description: 'A verified account has this email, or the deletion of one that had it can be undone.',
        errors: ['email_taken'],
      },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.providers.signUp(body, caller, admitAccount)),
  }),
];
