import type { Accounts, Reauthenticate } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { reauthenticatedAnswer } from './answers/account.ts';
import { proofAnswers } from './answers/proof.ts';
import { passkeyAnswer, password, tripCode, verificationCode, verifier } from './fields.ts';
import { signedIn } from './signed-in.ts';

const proofBody = schemaOf<Reauthenticate>()({
  type: 'object',
  properties: { password, passkey: passkeyAnswer, verificationCode, code: tripCode, verifier },
});

/** A fresh proof of who the caller is (RFC 9470). */
export const reauthenticateRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Prove once more who the caller is, for calls that need it fresh',
    access: 'bearer_restricted',
    bucket: 'password',
    session: 'renews',
    body: proofBody,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: { description: 'Such calls are let through until then.', schema: reauthenticatedAnswer },
      ...proofAnswers,
      400: { ...proofAnswers[400], errors: [...proofAnswers[400].errors, 'one_factor_only'] },
      401: {
        ...proofAnswers[401],
        errors: [...proofAnswers[401].errors, 'invalid_flow', 'invalid_passkey'],
      },
    },
    run: async ({ body, who, caller }) => ok(await accounts.reauthenticate(who, body, caller)),
  }),
];
