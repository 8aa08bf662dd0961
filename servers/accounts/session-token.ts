import { issueAccessTokenInput, sessionToken } from '../../core/accounts/sessions/issue-access-token.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { signedIn } from './signed-in.ts';

/** Further routes where sessions are in cookies. */
export const sessionTokenRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/session/token',
    summary: 'An access token of a session in a cookie, for other services',
    access: 'cookie',
    query: issueAccessTokenInput,
    answers: {
      200: { description: 'The token. Keep it in memory.', schema: sessionToken },
      400: { description: 'The settings lack the audience.', errors: ['invalid_audience'] },
    },
    run: async ({ principal, query }) => ok(await accounts.issueAccessToken(principal, query)),
  }),
];
