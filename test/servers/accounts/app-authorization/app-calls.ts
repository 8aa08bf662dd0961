import { createHash, randomBytes } from 'node:crypto';
import type { Reply, RequestOptions } from '../../../support/service.ts';
import { COOKIE } from '../cookies/jar.ts';

export const RETURN_TO = 'https://app.example.com/signed-in';

export const SETTINGS = { SIGN_IN_REDIRECTS: `${RETURN_TO},https://other.example.com/in`, PAGES: 'on' };

/** A PKCE verifier and its challenge. */
export const newPkcePair = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
};

type Post = (path: string, body: unknown, request?: RequestOptions) => Promise<Reply>;

/** The headers that a page of the site sends. */
const pageHeaders = (cookie: string) => ({ Cookie: `${COOKIE}=${cookie}`, 'Sec-Fetch-Site': 'same-origin' });

/** The calls of a page and of an app. A page passes the value of its session's cookie. */
export const makeAppAuthorization = (post: Post) => {
  const authorize = (cookie: string, codeChallenge: string, returnTo = RETURN_TO) =>
    post('/api/auth/handover', { returnTo, codeChallenge }, { headers: pageHeaders(cookie) });
  return {
    authorize,
    /** Authorizes the app by the cookie, and returns the body that redeems the code. */
    begin: async (cookie: string) => {
      const { codeVerifier, codeChallenge } = newPkcePair();
      const { body } = await authorize(cookie, codeChallenge);
      return { code: String(body.code), codeVerifier, returnTo: RETURN_TO };
    },
    redeem: (body: object, headers: Record<string, string> = {}) =>
      post('/api/auth/handover/redeem', body, { headers }),
  };
};

export const outcome = ({ status, body }: Reply): string =>
  status === 200 ? '200' : `${status} ${String(body?.code)}`;
