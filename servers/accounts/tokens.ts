import { ACCESS_TOKEN } from '../../core/accounts/sessions/cookie.ts';
import type { Accounts, IntrospectInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { introspectionResponse, keysResponse } from './responses/tokens.ts';

const introspectBody = schemaOf<IntrospectInput>()({
  type: 'object',
  properties: { token: { ...ACCESS_TOKEN, maxLength: 16_384 } },
  required: ['token'],
});

/** For other services of the product: public keys (RFC 7517) and introspection (RFC 7662). */
export const tokenRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens',
    access: 'open',
    bucket: 'none',
    answers: { 200: { description: 'A JWK set.', schema: keysResponse } },
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
    body: introspectBody,
    answers: {
      200: {
        description: '`active: false`, or the owner and their rights.',
        schema: introspectionResponse,
      },
    },
    run: async ({ body }) => ok(await accounts.introspect(body)),
  }),
];
