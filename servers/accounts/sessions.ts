import { issueAccessTokenInput, sessionToken } from '../../core/accounts/sessions/issue-access-token.ts';
import { sessionList, sessionParams } from '../../core/accounts/sessions/list-and-end.ts';
import { success } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';

/** The caller's sessions: list them, end one, end all others. */
export const sessionRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List the live sessions, newest first',
    answers: {
      200: { description: 'The sessions; `current` marks the calling one.', schema: sessionList },
    },
    run: async ({ principal }) => ok(await accounts.listSessions(principal)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all other sessions; needs a fresh proof',
    answers: {
      200: { description: 'The other sessions have ended.', schema: success },
      403: staleResponse(),
    },
    run: async ({ principal, caller }) => ok(await accounts.endOtherSessions(principal, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End one session; any but the one that calls needs a fresh proof',
    session: 'may end',
    params: sessionParams,
    answers: {
      200: { description: 'The session has ended.', schema: success },
      403: staleResponse(),
      404: { description: 'The caller has no such session.', errors: ['session_not_found'] },
    },
    run: async ({ params, principal, caller }) => ({
      ...ok(await accounts.endSession(principal, params.id, caller)),
      endsSession: params.id === principal.session.id,
    }),
  }),
];

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
