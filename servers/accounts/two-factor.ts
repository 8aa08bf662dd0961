import type { Accounts, ConfigureTwoFactorInput, RenewRecoveryCodesInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { password, token, verificationCode } from './fields.ts';
import { recoveryCodesResponse, twoFactorResponse } from './responses/account.ts';
import { staleResponse } from './responses/fresh.ts';
import { signedIn } from './signed-in.ts';

const configureBody = schemaOf<ConfigureTwoFactorInput>()({
  type: 'object',
  properties: {
    enable: {
      type: 'boolean',
      description: 'True without code and secret, it begins the setup',
      examples: [true],
    },
    verificationCode,
    secret: { ...token, description: 'From the beginning of the setup, to confirm it' },
    password: { ...password, description: 'In place of a fresh sign-in, at the begin call' },
  },
  required: ['enable'],
});

const renewBody = schemaOf<RenewRecoveryCodesInput>()({
  type: 'object',
  properties: { verificationCode },
  required: ['verificationCode'],
});

/** Two-factor authentication: spec section 4.1, and recovery codes. */
export const twoFactorRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/2fa',
    summary: 'Begin or confirm two-factor authentication, or switch it off',
    access: 'bearer',
    bucket: 'password',
    body: configureBody,
    answers: {
      200: {
        description: 'The secret to set up, or `success`, with recovery codes when it was switched on.',
        schema: twoFactorResponse,
      },
      400: {
        description: 'The code is wrong or missing, or no setup is pending.',
        errors: [
          ...['invalid_two_factor_code', 'two_factor_not_pending', 'code_required'],
          ...['password_too_long', 'password_not_allowed'],
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
    access: 'bearer',
    bucket: 'default',
    body: renewBody,
    answers: {
      200: { description: 'The new recovery codes, shown this once.', schema: recoveryCodesResponse },
      401: { description: 'The code is wrong or was used.', errors: ['invalid_two_factor_code'] },
      409: { description: 'Two-factor authentication is not on.', errors: ['two_factor_off'] },
      429: { description: 'Too many wrong codes.', errors: ['two_factor_held'] },
    },
    run: async ({ body, principal, caller }) =>
      ok(await accounts.renewRecoveryCodes(principal, body, caller)),
  }),
];
