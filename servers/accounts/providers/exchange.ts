import type { Accounts, FlowCode, SignUpByProviderInput } from '../../../core/index.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { schemaOf } from '../../http/schema.ts';
import { email, flowCode, token, verifier } from '../fields.ts';
import { registeredResponse } from '../responses/account.ts';
import { exchangeResponse } from '../responses/login.ts';
import { existing } from '../responses/providers.ts';

const exchangeBody = schemaOf<FlowCode>()({
  type: 'object',
  properties: { code: flowCode, verifier },
  required: ['code', 'verifier'],
});

const signUpBody = schemaOf<SignUpByProviderInput>()({
  type: 'object',
  properties: {
    signUpToken: { ...token, description: 'From the answer `requiresEmail`; valid for 10 minutes' },
    email,
  },
  required: ['signUpToken', 'email'],
});

const INVALID_FLOW = 'The sign-in is unknown, was used, or has expired.';

/** The client's half of a sign-in with a provider. */
export const exchangeRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  route({
    method: 'POST',
    path: '/api/auth/providers/exchange',
    summary: 'Sign in, or sign up, with the code of a provider flow',
    access: 'open',
    bucket: 'login',
    body: exchangeBody,
    answers: {
      200: {
        description:
          'Logged in; or `requires2FA`, to go on at login; or `requiresEmail`, to go on at sign-up.',
        schema: exchangeResponse,
      },
      401: { description: INVALID_FLOW, errors: ['invalid_flow'] },
      403: { description: 'Sign-up with this provider is closed.', errors: ['sign_up_closed'] },
      409: {
        description: 'A verified account has this email. Sign in to it, then link the identity.',
        errors: ['account_exists'],
        details: existing,
      },
    },
    run: async ({ body, caller }) => ok(await accounts.providers.exchange(body, caller)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/providers/sign-up',
    summary: 'Set the email of a new account whose provider verified none; a code is mailed to it',
    access: 'open',
    bucket: 'resend',
    countsAccount: true,
    body: signUpBody,
    answers: {
      200: {
        description: 'A code is on its way. It is good with `signUpToken`.',
        schema: registeredResponse,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: { description: INVALID_FLOW, errors: ['invalid_flow'] },
      409: { description: 'A verified account has this email.', errors: ['email_taken'] },
    },
    run: async ({ body, caller, admitAccount }) =>
      ok(await accounts.providers.signUp(body, caller, admitAccount)),
  }),
];
