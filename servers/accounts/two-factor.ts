import {
  configureTwoFactorInput,
  configureTwoFactorResult,
} from '../../core/accounts/second-factor/configure-two-factor.ts';
import {
  renewRecoveryCodesInput,
  renewRecoveryCodesResult,
} from '../../core/accounts/second-factor/recovery-codes.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';

/** Two-factor authentication: spec section 4.1, and recovery codes. */
export const twoFactorRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/2fa',
    summary: 'Begin or confirm two-factor authentication, or turn it off',
    bucket: 'password',
    body: configureTwoFactorInput,
    answers: {
      200: {
        description: 'The secret to set up, or `success`, with recovery codes when it was turned on.',
        schema: configureTwoFactorResult,
      },
      400: {
        description: 'The code is wrong or missing, or no setup is pending.',
        errors: [
          'invalid_two_factor_code',
          'two_factor_not_pending',
          'code_required',
          'password_too_long',
          'password_not_allowed',
        ],
      },
      401: { description: 'The password is wrong.', errors: ['wrong_credentials'] },
      403: staleResponse(),
      409: { description: 'It is on already, or not on.', errors: ['two_factor_on', 'two_factor_off'] },
      429: { description: 'Too many wrong codes or passwords.', errors: ['two_factor_held', 'login_held'] },
    },
    run: async ({ body, principal, caller }) =>
      ok(await accounts.configureTwoFactor(principal, body, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/2fa/recovery-codes',
    summary: 'Make new recovery codes; the old ones are void',
    body: renewRecoveryCodesInput,
    answers: {
      200: { description: 'The new recovery codes, shown this once.', schema: renewRecoveryCodesResult },
      400: { description: 'The code is missing.', errors: ['code_required'] },
      401: { description: 'The code is wrong or was used.', errors: ['invalid_two_factor_code'] },
      403: staleResponse(),
      409: { description: 'Two-factor authentication is not on.', errors: ['two_factor_off'] },
      429: { description: 'Too many wrong codes.', errors: ['two_factor_held'] },
    },
    run: async ({ body, principal, caller }) =>
      ok(await accounts.renewRecoveryCodes(principal, body, caller)),
  }),
];
