import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBearer } from '../../core/access-token.ts';
import { type Caller, CoreError, type Standing } from '../../core/index.ts';
import { HttpError } from './http-error.ts';

/** The caller behind a bearer token or a cookie. This layer reads only these of it. */
export interface Known {
  readonly claims: { readonly userId: string };
  /** There for a caller behind a cookie. */
  readonly cookie?: object;
}

/** Of a token or a cookie. Throws `unauthenticated`, or `forbidden` if the caller lacks the required standing. */
export type Authenticate = (token: string, standing: Standing, caller: Caller) => Promise<Known>;

/** The part of a request that has the token, as the requests of most frameworks have it. */
export interface Bearing {
  readonly headers: { readonly authorization?: string | undefined };
}

/** The bearer token of a request. Throws `unauthenticated` (`invalid_token`) when there is none. */
export const bearerToken = ({ headers }: Bearing): string => {
  const token = readBearer(headers.authorization ?? '');
  if (token !== undefined) return token;
  throw new CoreError('unauthenticated', 'invalid_token', 'A bearer access token is needed.');
};

export const cookieNeeded = () =>
  new CoreError('unauthenticated', 'invalid_token', 'The cookie of a session is needed.');

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whether a request carries one of the live values of the internal secret. */
export const makeHasSecret = (secrets: readonly string[]) => {
  const live = secrets.map(sha256);
  return (req: IncomingMessage): boolean => {
    const given = req.headers['x-internal-secret'];
    if (typeof given !== 'string') return false;
    const digest = sha256(given);
    return live.map((one) => timingSafeEqual(one, digest)).includes(true);
  };
};

export const secretNeeded = () =>
  new HttpError(401, 'invalid_secret', 'The header x-internal-secret is missing or wrong.', {
    'WWW-Authenticate': 'Internal-Secret',
  });
