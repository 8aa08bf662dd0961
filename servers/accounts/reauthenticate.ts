import { reauthenticated, reauthenticateInput } from '../../core/accounts/sign-in/reauthenticate.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { proofResponses } from './proof-responses.ts';
import { signedIn } from './signed-in.ts';

/** A fresh proof of the caller's identity (RFC 9470). */
export const reauthenticateRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Prove the caller’s identity again, for calls that need a fresh proof',
    access: 'bearer_restricted',
    bucket: 'password',
    session: 'renews',
    body: reauthenticateInput,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: { description: 'Such calls succeed until then.', schema: reauthenticated },
      ...proofResponses,
      400: { ...proofResponses[400], errors: [...proofResponses[400].errors, 'one_factor_only'] },
      401: {
        ...proofResponses[401],
        errors: [...proofResponses[401].errors, 'invalid_flow', 'invalid_passkey'],
      },
    },
    run: async ({ body, principal, caller }) => ok(await accounts.reauthenticate(principal, body, caller)),
  }),
];
