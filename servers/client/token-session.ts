import type { Fetch } from './fetch-types.ts';
import { type OnProofNeeded, sendWithProof } from './refusals.ts';
import { type TokenStore, type Tokens, tokensIn } from './tokens.ts';

export interface SessionParts {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly tokens: TokenStore;
  /** Called once when the service refuses the refresh token: the session has expired or was ended elsewhere. */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** The outcome of a renewal: new tokens, null if the session has ended, or the response of any other failure. */
type RenewalResult = Tokens | Response | null;

/** The paths of requests that may return new tokens. */
const TOKEN_PATHS = [
  '/api/auth/login',
  '/api/auth/login/passkey',
  '/api/auth/providers/exchange',
  '/api/auth/handover/redeem',
  '/api/auth/verify-email',
  '/api/auth/refresh',
  '/api/auth/password',
];
/** The paths of requests that end the session. */
const SIGN_OUT_PATHS = ['/api/auth/logout', '/api/auth/delete-account'];

/** Compares only the end of the path, since `baseUrl` may be relative, or spell the address in another way. */
const goesTo = (request: Request, paths: readonly string[]): boolean => {
  const { pathname } = new URL(request.url);
  return paths.some((path) => pathname.endsWith(path));
};

/** The result of work that callers share, or a rejection when this caller aborts. The work continues for the others. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/** Tells a refused token from a wrong password or code, which get 401 without this error (RFC 6750 section 3.1). */
const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 && (headers.get('WWW-Authenticate') ?? '').includes('invalid_token');

const makeRenewal = ({ baseUrl, fetch, tokens, onLoggedOut }: Omit<SessionParts, 'onProofNeeded'>) => {
  let latest: Promise<RenewalResult> | undefined;
  let isRunning = false;
  let finishedCount = 0;

  const refresh = async (refused: Tokens): Promise<RenewalResult> => {
    const current = await tokens.get();
    // A sign-out or a renewal, perhaps in another tab, has changed the tokens since the request was sent.
    if (current === null || current.token !== refused.token) return current;
    const answer = await fetch(
      new Request(`${baseUrl}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refreshToken: current.refreshToken }),
      }),
    );
    const renewed = answer.ok ? tokensIn(await answer.clone().json()) : undefined;
    // A sign-in or sign-out during the refresh takes precedence over its result.
    const stored = await tokens.get();
    if (stored?.refreshToken !== current.refreshToken) return stored;
    if (renewed === undefined && answer.status !== 401) return answer;
    await tokens.set(renewed ?? null);
    if (renewed === undefined) onLoggedOut();
    return renewed ?? null;
  };

  return {
    countFinished: () => finishedCount,
    /**
     * Concurrent callers share one renewal, since a refresh token works once. `finishedBefore` is the number of finished
     * renewals when the refused token was sent. A caller also gets the outcome of a renewal that has finished since then, even
     * if it failed.
     */
    renew: (refused: Tokens, finishedBefore: number): Promise<RenewalResult> => {
      if (latest !== undefined && (isRunning || finishedCount > finishedBefore)) return latest;
      isRunning = true;
      latest = tokens
        .alone(() => refresh(refused))
        .finally(() => {
          isRunning = false;
          finishedCount += 1;
        });
      return latest;
    },
  };
};

/**
 * A `fetch` that sends the access token with every request, and renews the token if it is refused. A request that needs a fresh
 * proof is repeated after the user has given it. The tokens of a sign-in are stored, and deleted at a sign-out.
 */
export const makeSessionFetch = (parts: SessionParts): Fetch => {
  const { fetch, tokens, onProofNeeded } = parts;
  const { countFinished, renew } = makeRenewal(parts);

  const storeTokens = async (request: Request, answer: Response): Promise<void> => {
    if (!answer.ok) return;
    if (goesTo(request, SIGN_OUT_PATHS)) await tokens.set(null);
    if (!goesTo(request, TOKEN_PATHS)) return;
    const newTokens = tokensIn(await answer.clone().json());
    if (newTokens !== undefined) await tokens.set(newTokens);
  };

  const send = (request: Request, { token }: Tokens): Promise<Response> => {
    request.headers.set('Authorization', `Bearer ${token}`);
    return fetch(request);
  };

  const sendAuthorized = async (request: Request): Promise<Response> => {
    const current = await tokens.get();
    if (current === null || request.headers.has('Authorization')) return fetch(request);
    const copy = request.clone();
    const finishedBefore = countFinished();
    const answer = await send(request, current);
    if (!isTokenRefused(answer)) return answer;
    const renewed = await unlessAborted(renew(current, finishedBefore), request.signal);
    if (renewed === null) return answer;
    // Not `instanceof Response`: a `fetch` of the app's own may have a class of its own for responses.
    return 'refreshToken' in renewed ? send(copy, renewed) : renewed.clone();
  };

  return async (request) => {
    const answer = await sendWithProof(sendAuthorized, request, onProofNeeded);
    await storeTokens(request, answer);
    return answer;
  };
};
