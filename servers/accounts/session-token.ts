import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { sessionTokenAnswer } from './answers/login.ts';
import { signedIn } from './signed-in.ts';

/** What there is besides where sessions are kept in cookies. */
export const sessionTokenRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/session/token',
    summary: 'An access token of a session in a cookie, for other services',
    access: 'cookie',
    bucket: 'default',
    answers: { 200: { description: 'The token. Keep it in memory.', schema: sessionTokenAnswer } },
    run: async ({ who }) => ok(await accounts.issueAccessToken(who)),
  }),
];
