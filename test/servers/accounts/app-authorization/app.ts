import { createHash, randomBytes } from 'node:crypto';
import type { Ask, Reply } from '../../../support/service.ts';
import { COOKIE } from '../cookies/jar.ts';

export const RETURN_TO = 'https://app.example.com/signed-in';

export const SETTINGS = { SIGN_IN_REDIRECTS: `${RETURN_TO},https://other.example.com/in`, PAGES: 'on' };

/** A verifier and its challenge, as an app makes them. */
export const newHalf = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
};

type Post = (path: string, body: unknown, given?: Ask) => Promise<Reply>;

/** What a page of the site sends: the cookie of its session. */
const ofPage = (cookie: string) => ({ Cookie: `${COOKIE}=${cookie}`, 'Sec-Fetch-Site': 'same-origin' });

/** What a page and an app do, over HTTP. A page has the value of its session's cookie. */
export const makeHandover = (post: Post) => {
  const give = (cookie: string, codeChallenge: string, returnTo = RETURN_TO) =>
    post('/api/auth/handover', { returnTo, codeChallenge }, { headers: ofPage(cookie) });
  return {
    give,
    /** All that an app sends to redeem a new code of the owner of a cookie. */
    begin: async (cookie: string) => {
      const { codeVerifier, codeChallenge } = newHalf();
      const { body } = await give(cookie, codeChallenge);
      return { code: String(body.code), codeVerifier, returnTo: RETURN_TO };
    },
    redeem: (body: object, headers: Record<string, string> = {}) =>
      post('/api/auth/handover/redeem', body, { headers }),
  };
};

export const outcome = ({ status, body }: Reply): string =>
  status === 200 ? '200' : `${status} ${String(body?.code)}`;
