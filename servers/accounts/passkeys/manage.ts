import { passkeyBegun } from '../../../core/accounts/passkeys/creation-options.ts';
import { passkeyParams, renamePasskeyInput } from '../../../core/accounts/passkeys/manage-passkeys.ts';
import { onePasskey, passkeyList, remainingPasskeys } from '../../../core/accounts/passkeys/passkey-view.ts';
import { registerPasskeyInput } from '../../../core/accounts/passkeys/register-passkey.ts';
import type { Accounts } from '../../../core/index.ts';
import { ok } from '../../http/response-body.ts';
import { type AnyRoute, signedIn } from '../../http/route.ts';
import { staleResponse } from '../proof-responses.ts';

const NO_SUCH = { description: 'The caller has no such passkey.', errors: ['passkey_not_found'] };

/** The caller's passkeys. */
export const managePasskeyRoutes = ({ passkeys }: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/passkeys/begin',
    summary: 'Begin a new passkey; needs a fresh proof',
    answers: {
      200: { description: 'What to ask the browser for, and `flow`.', schema: passkeyBegun },
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
        description: 'The answer proves nothing, or the name breaks a rule.',
        errors: ['invalid_passkey', 'invalid_name'],
      },
      401: { description: 'The flow is unknown, used or expired.', errors: ['invalid_flow'] },
      409: {
        description: 'An account has it already, or this one has 20.',
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
      200: { description: 'The passkeys, and what browsers know the account by.', schema: passkeyList },
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
      200: { description: 'It has the name.', schema: onePasskey },
      400: { description: 'The name breaks a rule.', errors: ['invalid_name'] },
      404: NO_SUCH,
    },
    run: async ({ params, body, principal }) => ok(await passkeys.rename(principal, params.id, body)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/passkeys/{id}',
    summary: 'Remove a passkey; needs a fresh proof',
    params: passkeyParams,
    answers: {
      200: { description: 'Those that are left.', schema: remainingPasskeys },
      403: staleResponse(),
      404: NO_SUCH,
      409: {
        description: 'It is the last sign-in method, or the only second factor.',
        errors: ['last_sign_in_method', 'last_second_factor'],
      },
    },
    run: async ({ params, principal, caller }) => ok(await passkeys.remove(principal, params.id, caller)),
  }),
];
