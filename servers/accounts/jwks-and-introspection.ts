import { introspectInput, introspection } from '../../core/accounts/sessions/introspect.ts';
import { jwkSet } from '../../core/accounts/sessions/issue-access-token.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, route } from '../http/route.ts';

/** For other services of the product: public keys (RFC 7517) and introspection (RFC 7662). */
export const tokenRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  openRoute({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens',
    bucket: 'none',
    answers: { 200: { description: 'A JWK set.', schema: jwkSet } },
    run: async () => ({
      status: 200,
      body: await accounts.publicKeys(),
      headers: { 'Cache-Control': 'public, max-age=60' },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/introspect',
    summary: 'Whether an access token is valid now, and what its owner may do',
    access: 'internal',
    // Calls with the secret are not limited. The bucket counts attempts to guess it.
    bucket: 'default',
    body: introspectInput,
    answers: {
      200: {
        description: '`active: false`, or the owner and their rights.',
        schema: introspection,
      },
    },
    run: async ({ body }) => ok(await accounts.introspect(body)),
  }),
];
