import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBearer } from '../../core/access-token.ts';
import { requireArguments } from '../../core/check-arguments.ts';
import { type Caller, CoreError, type RequiredStatus } from '../../core/index.ts';
import { custom } from '../../core/schema.ts';
import { HttpError } from './http-error.ts';

/** The caller behind a bearer token or a cookie, as far as this layer reads it. */
export interface AuthenticatedCaller {
  readonly claims: { readonly userId: string };
  /** Set for a caller with a cookie. */
  readonly cookie?: object;
}

/** Authenticates a token or a cookie. Throws `unauthenticated`, or `forbidden` if the account lacks the required status. */
export type Authenticate = (
  token: string,
  requiredStatus: RequiredStatus,
  caller: Caller,
) => Promise<AuthenticatedCaller>;

/** The part of a request that is read for its token. Requests of most frameworks have it. */
export interface RequestWithToken {
  readonly headers: { readonly authorization?: string | undefined };
}

/** Refuses web-standard requests: their `Headers` have the token behind the method `get`, not as a member. */
const REQUEST = custom('a request with its headers as members', (value) => {
  const { headers }: { readonly headers?: unknown } = Object(value);
  return typeof headers === 'object' && headers !== null && typeof Reflect.get(headers, 'get') !== 'function';
});

/** `bearerToken` without the check of its argument, which would delay every request with a token. */
export const requireBearerToken = ({ headers }: RequestWithToken): string => {
  const token = readBearer(headers.authorization ?? '');
  if (token !== undefined) return token;
  throw new CoreError('unauthenticated', 'invalid_token', 'A bearer access token is needed.');
};

/** The bearer token of a request. Throws `unauthenticated` (`invalid_token`) when there is none. */
export const bearerToken = (request: RequestWithToken): string => {
  requireArguments([request], { request: REQUEST });
  return requireBearerToken(request);
};

export const cookieNeeded = () =>
  new CoreError('unauthenticated', 'invalid_token', 'The cookie of a session is needed.');

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Makes a function that tests whether a request has one of the current values of the internal secret. */
export const makeHasSecret = (secrets: readonly string[]) => {
  const currentDigests = secrets.map(sha256);
  return (req: IncomingMessage): boolean => {
    const secret = req.headers['x-internal-secret'];
    if (typeof secret !== 'string') return false;
    const digest = sha256(secret);
    // All digests are compared, so that the time does not reveal which secret matches.
    return currentDigests.map((currentDigest) => timingSafeEqual(currentDigest, digest)).includes(true);
  };
};

export const secretNeeded = () =>
  new HttpError(401, 'invalid_secret', 'The header x-internal-secret is missing or wrong.', {
    'WWW-Authenticate': 'Internal-Secret',
  });
