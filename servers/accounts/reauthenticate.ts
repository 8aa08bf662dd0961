import type { Accounts, Reauthenticate } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { reauthenticatedAnswer } from './answers/account.ts';
import { password, verificationCode } from './fields.ts';
import { signedIn } from './signed-in.ts';

const proofBody = schemaOf<Reauthenticate>()({
  type: 'object',
  properties: { password, verificationCode },
});

/** A fresh proof of who the caller is (RFC 9470). */
export const reauthenticateRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Prove once more who the caller is, for calls that need it fresh',
    access: 'bearer_restricted',
    bucket: 'password',
    body: proofBody,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: { description: 'Such calls are let through until then.', schema: reauthenticatedAnswer },
      400: {
        description: 'Password or code is missing, or breaks a rule.',
        errors: ['password_required', 'code_required', 'password_too_long', 'password_not_allowed'],
      },
      401: {
        description: 'Password or code is wrong.',
        errors: ['wrong_credentials', 'invalid_two_factor_code'],
      },
      429: { description: 'Too many wrong tries.', errors: ['login_held', 'two_factor_held'] },
    },
    run: async ({ body, who, caller }) => ok(await accounts.reauthenticate(who, body, caller)),
  }),
];
