import { signInByPasskeyInput } from '../../core/accounts/passkeys/check-assertion.ts';
import { passkeyParams, renamePasskeyInput } from '../../core/accounts/passkeys/manage-passkeys.ts';
import { onePasskey, passkeyList, remainingPasskeys } from '../../core/accounts/passkeys/passkey-view.ts';
import { beginPasskeyResult, registerPasskeyInput } from '../../core/accounts/passkeys/register-passkey.ts';
import { passkeyRequest } from '../../core/accounts/passkeys/request-options.ts';
import { relatedOrigins } from '../../core/accounts/passkeys/rp-id.ts';
import {
  beginSecondPasskeyInput,
  configurePasskeyFactorInput,
  configurePasskeyFactorResult,
} from '../../core/accounts/second-factor/passkey-as-second-factor.ts';
import { signInResult } from '../../core/accounts/sessions/open-session.ts';
import type { Accounts } from '../../core/index.ts';
import type { AnswerCode } from '../http/http-error.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';
import { okSession } from './session-answer.ts';

const NOT_FOUND = { description: 'The caller has no such passkey.', errors: ['passkey_not_found'] } as const;
const NO_PASSKEY = { description: 'The account has no passkey for this.', errors: ['no_passkey'] } as const;
const REQUEST = { description: 'What to ask the browser for, and `flow`.', schema: passkeyRequest };

/** Adds to the answers in the reference the 404 that a route gives while passkeys are off. */
const describeOff = (route: AnyRoute): AnyRoute => {
  const { description = '', errors = [] } = route.answers[404] ?? {};
  // One route has `not_found` of its own, for another reason: the set keeps it from being listed twice.
  const answer = {
    description: `${description} Passkeys are off.`.trim(),
    errors: [...new Set<AnswerCode>([...errors, 'not_found'])],
  };
  return { ...route, answers: { ...route.answers, 404: answer } };
};

const manageRoutes = ({ passkeys }: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/passkeys/begin',
    summary: 'Begin a new passkey; needs a fresh proof',
    answers: {
      200: { description: 'What to ask the browser for, and `flow`.', schema: beginPasskeyResult },
      403: staleResponse(),
      409: { description: 'The account has 20 passkeys.', errors: ['too_many_passkeys'] },
    },
    run: async ({ principal, caller }) => ok(await passkeys.begin(principal, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/passkeys',
    summary: 'Add the passkey of the begin call',
    body: registerPasskeyInput,
    answers: {
      200: { description: 'The account has the passkey.', schema: onePasskey },
      400: {
        description: 'The passkey is not accepted, or the name breaks a rule.',
        errors: ['invalid_passkey', 'invalid_name'],
      },
      401: { description: 'The flow is unknown, used or expired.', errors: ['invalid_flow'] },
      409: {
        description: 'An account has this passkey already, or the caller has 20 passkeys.',
        errors: ['passkey_taken', 'too_many_passkeys'],
      },
    },
    run: async ({ body, principal, caller }) => ok(await passkeys.register(principal, body, caller)),
  }),
  signedIn({
    method: 'GET',
    path: '/api/auth/passkeys',
    summary: 'List the passkeys',
    answers: {
      200: {
        description: 'The passkeys, and the data by which browsers recognise the account.',
        schema: passkeyList,
      },
    },
    run: async ({ principal }) => ok(await passkeys.list(principal)),
  }),
  signedIn({
    method: 'PATCH',
    path: '/api/auth/passkeys/{id}',
    summary: 'Rename a passkey',
    params: passkeyParams,
    body: renamePasskeyInput,
    answers: {
      200: { description: 'The passkey has the new name.', schema: onePasskey },
      400: { description: 'The name breaks a rule.', errors: ['invalid_name'] },
      404: NOT_FOUND,
    },
    run: async ({ params, body, principal }) => ok(await passkeys.rename(principal, params.id, body)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/passkeys/{id}',
    summary: 'Remove a passkey; needs a fresh proof',
    params: passkeyParams,
    answers: {
      200: { description: 'The remaining passkeys.', schema: remainingPasskeys },
      403: staleResponse(),
      404: NOT_FOUND,
      409: {
        description: 'It is the last sign-in method, or the only second factor.',
        errors: ['last_sign_in_method', 'last_second_factor'],
      },
    },
    run: async ({ params, principal, caller }) => ok(await passkeys.remove(principal, params.id, caller)),
  }),
];

/** Sign-in, second factor and fresh proofs by passkeys, and the origins that may use them. */
const passkeySignInRoutes = ({ passkeys }: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'POST',
    path: '/api/auth/login/passkey/begin',
    summary: 'Begin a sign-in with a passkey, also as a suggestion in a form',
    bucket: 'login',
    answers: { 200: REQUEST },
    run: async () => ok(await passkeys.beginLogin()),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/login/passkey',
    summary: 'Sign in with a passkey; no second factor is needed',
    bucket: 'login',
    session: 'begins',
    body: signInByPasskeyInput,
    answers: {
      200: { description: 'Signed in.', schema: signInResult },
      401: { description: 'Not signed in, whatever the reason.', errors: ['invalid_passkey'] },
    },
    run: async ({ body, caller }) => okSession(await passkeys.logIn(body, caller)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/login/second/begin',
    summary: 'Begin the second step of a sign-in with a passkey',
    bucket: 'login',
    countsAccount: true,
    body: beginSecondPasskeyInput,
    answers: {
      200: REQUEST,
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: { description: 'The token is unknown, used or expired.', errors: ['wrong_credentials'] },
      409: NO_PASSKEY,
    },
    run: async ({ body, caller, admitAccount }) => ok(await passkeys.beginSecond(body, caller, admitAccount)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/2fa/passkey',
    summary: 'Turn passkeys on or off as the second factor; needs a fresh proof',
    body: configurePasskeyFactorInput,
    answers: {
      200: {
        description: 'With recovery codes when it was turned on.',
        schema: configurePasskeyFactorResult,
      },
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
    answers: { 200: REQUEST, 409: NO_PASSKEY },
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
      404: { description: 'No other domain may use the passkeys.', errors: ['not_found'] },
    },
    run: async () => ok(passkeys.relatedOrigins()),
  }),
];

/** Passkeys (WebAuthn Level 3), where they are on. */
export const passkeyRoutes = (accounts: Accounts): readonly AnyRoute[] =>
  [...manageRoutes(accounts), ...passkeySignInRoutes(accounts)].map(describeOff);
