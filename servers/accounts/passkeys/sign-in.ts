import { signInByPasskeyInput } from '../../../core/accounts/passkeys/check-assertion.ts';
import { relatedOrigins } from '../../../core/accounts/passkeys/related-origins.ts';
import { passkeyRequest } from '../../../core/accounts/passkeys/request-options.ts';
import {
  configurePasskeyFactorInput,
  passkeyFactorConfigured,
} from '../../../core/accounts/second-factor/passkey-as-second-factor.ts';
import { beginSecondPasskeyInput } from '../../../core/accounts/second-factor/passkey-challenge.ts';
import { loggedIn } from '../../../core/accounts/sessions/open-session.ts';
import type { Accounts } from '../../../core/index.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../../http/route.ts';
import { staleResponse } from '../proof-responses.ts';

const NONE = { description: 'The account has no passkey for this.', errors: ['no_passkey'] };
const ASKED = { description: 'What to ask the browser for, and `flow`.', schema: passkeyRequest };

/** Sign-in and fresh proofs by passkeys. */
export const passkeySignInRoutes = ({ passkeys }: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/login/passkey/begin',
    summary: 'Begin a sign-in with a passkey, also as a suggestion in a form',
    bucket: 'login',
    answers: { 200: ASKED },
    run: async () => ok(await passkeys.beginLogin()),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/login/passkey',
    summary: 'Sign in with a passkey; no second factor is needed',
    bucket: 'login',
    body: signInByPasskeyInput,
    answers: {
      200: { description: 'Signed in.', schema: loggedIn },
      401: { description: 'Not signed in, whatever the reason.', errors: ['invalid_passkey'] },
    },
    run: async ({ body, caller }) => ok(await passkeys.logIn(body, caller)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/login/second/begin',
    summary: 'Begin the second step of a sign-in with a passkey',
    bucket: 'login',
    countsAccount: true,
    body: beginSecondPasskeyInput,
    answers: {
      200: ASKED,
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: { description: 'The token is unknown, used or expired.', errors: ['wrong_credentials'] },
      409: NONE,
    },
    run: async ({ body, caller, admitAccount }) => ok(await passkeys.beginSecond(body, caller, admitAccount)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/2fa/passkey',
    summary: 'Switch passkeys on or off as the second factor; needs a fresh proof',
    body: configurePasskeyFactorInput,
    answers: {
      200: { description: 'With recovery codes when it was switched on.', schema: passkeyFactorConfigured },
      403: staleResponse(),
      409: {
        description: 'It is on already, is not on, or the account has no passkey.',
        errors: ['two_factor_on', 'two_factor_off', 'no_passkey'],
      },
    },
    run: async ({ body, principal, caller }) => ok(await passkeys.configureFactor(principal, body, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate/passkey/begin',
    summary: 'Begin a fresh proof by a passkey',
    access: 'bearer_restricted',
    answers: { 200: ASKED, 409: NONE },
    run: async ({ principal }) => ok(await passkeys.beginProof(principal)),
  }),
  openRoute({
    method: 'GET',
    path: '/.well-known/webauthn',
    summary: 'The origins of other domains that may use the passkeys',
    bucket: 'none',
    answers: {
      200: {
        description: 'Related origins (WebAuthn Level 3, section 5.11).',
        schema: relatedOrigins,
      },
      404: { description: 'No other domain may.', errors: ['not_found'] },
    },
    run: async () => ok(passkeys.relatedOrigins()),
  }),
];
