import type { Accounts, RegisterPasskeyInput, RenamePasskeyInput } from '../../../core/index.ts';
import { ok } from '../../http/response-body.ts';
import type { AnyRoute } from '../../http/route.ts';
import { schemaOf } from '../../http/schema.ts';
import { credential, passkeyFlow as flow } from '../fields.ts';
import { staleResponse } from '../responses/fresh.ts';
import {
  begunPasskeyResponse,
  passkeyResponse,
  passkeysResponse,
  remainingPasskeysResponse,
} from '../responses/passkeys.ts';
import { signedIn } from '../signed-in.ts';

const name = {
  type: 'string',
  maxLength: 1_000,
  description: '1 to 64 characters',
  examples: ['Phone'],
} as const;

const registerBody = schemaOf<RegisterPasskeyInput>()({
  type: 'object',
  properties: {
    flow,
    credential: credential('RegistrationResponseJSON'),
    name: { ...name, description: '1 to 64 characters; `Passkey` and the date when absent' },
  },
  required: ['flow', 'credential'],
});

const renameBody = schemaOf<RenamePasskeyInput>()({
  type: 'object',
  properties: { name },
  required: ['name'],
});

const passkeyParams = schemaOf<{ readonly id: string }>()({
  type: 'object',
  properties: {
    id: {
      type: 'string',
      description: 'From the list of passkeys',
      examples: ['0199a0b1-9c1d-7e20-a4b5-3d6f8e1c2a70'],
    },
  },
  required: ['id'],
});

const NO_SUCH = { description: 'The caller has no such passkey.', errors: ['passkey_not_found'] };

/** The caller's passkeys. */
export const ownPasskeyRoutes = ({ passkeys }: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/passkeys/begin',
    summary: 'Begin a new passkey; needs a fresh proof',
    access: 'bearer',
    bucket: 'default',
    answers: {
      200: { description: 'What to ask the browser for, and `flow`.', schema: begunPasskeyResponse },
      403: staleResponse(),
      409: { description: 'The account has 20 passkeys.', errors: ['too_many_passkeys'] },
    },
    run: async ({ principal, caller }) => ok(await passkeys.begin(principal, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/passkeys',
    summary: 'Add the passkey of the begin call',
    access: 'bearer',
    bucket: 'default',
    body: registerBody,
    answers: {
      200: { description: 'The account has the passkey.', schema: passkeyResponse },
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
    access: 'bearer',
    bucket: 'default',
    answers: {
      200: { description: 'The passkeys, and what browsers know the account by.', schema: passkeysResponse },
    },
    run: async ({ principal }) => ok(await passkeys.list(principal)),
  }),
  signedIn({
    method: 'PATCH',
    path: '/api/auth/passkeys/{id}',
    summary: 'Rename a passkey',
    access: 'bearer',
    bucket: 'default',
    params: passkeyParams,
    body: renameBody,
    answers: {
      200: { description: 'It has the name.', schema: passkeyResponse },
      400: { description: 'The name breaks a rule.', errors: ['invalid_name'] },
      404: NO_SUCH,
    },
    run: async ({ params, body, principal }) => ok(await passkeys.rename(principal, params.id, body)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/passkeys/{id}',
    summary: 'Remove a passkey; needs a fresh proof',
    access: 'bearer',
    bucket: 'default',
    params: passkeyParams,
    answers: {
      200: { description: 'Those that are left.', schema: remainingPasskeysResponse },
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
