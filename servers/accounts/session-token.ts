import type { Accounts, IssueAccessTokenInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { sessionTokenResponse } from './responses/login.ts';
import { signedIn } from './signed-in.ts';

const audienceQuery = schemaOf<IssueAccessTokenInput>()({
  type: 'object',
  properties: {
    audience: {
      type: 'string',
      maxLength: 256,
      description: 'One of `TOKEN_AUDIENCES`: the token is for that service alone',
    },
  },
});

/** Further routes where sessions are in cookies. */
export const sessionTokenRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/session/token',
    summary: 'An access token of a session in a cookie, for other services',
    access: 'cookie',
    bucket: 'default',
    query: audienceQuery,
    answers: {
      200: { description: 'The token. Keep it in memory.', schema: sessionTokenResponse },
      400: { description: 'The settings lack the audience.', errors: ['invalid_audience'] },
    },
    run: async ({ principal, query }) => ok(await accounts.issueAccessToken(principal, query)),
  }),
];
