import type { Fetch } from './fetch-types.ts';
import { type OnProofNeeded, sendWithProof } from './refusals.ts';
import { type TokenStore, type Tokens, tokensIn } from './tokens.ts';

export interface SessionParts {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly tokens: TokenStore;
  /** Called once if the service refuses the refresh token: the session has expired, or was ended from elsewhere. */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** The outcome of a renewal: new tokens, null if the session ended, or the response of a failure that does not concern it. */
type RenewalResult = Tokens | Response | null;

/** The paths of requests whose answers have new tokens, and of requests that end the session. */
const ISSUING_TOKENS = [
  '/api/auth/login',
  '/api/auth/login/passkey',
  '/api/auth/providers/exchange',
  '/api/auth/handover/redeem',
  '/api/auth/verify-email',
  '/api/auth/refresh',
  '/api/auth/password',
];
const ENDING_SESSION = ['/api/auth/logout', '/api/auth/delete-account'];

/** The end of the path is compared, since `baseUrl` may be relative or another spelling of the address. */
const goesTo = (request: Request, paths: readonly string[]): boolean => {
  const { pathname } = new URL(request.url);
  return paths.some((path) => pathname.endsWith(path));
};

/** The result of shared work, or a rejection once this caller aborts. The work continues for the other callers. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/** RFC 6750 section 3.1: only a refused token has this error, not a wrong password or code. */
const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 && (headers.get('WWW-Authenticate') ?? '').includes('invalid_token');

const makeRenew = ({ baseUrl, fetch, tokens, onLoggedOut }: Omit<SessionParts, 'onProofNeeded'>) => {
  let latest: Promise<RenewalResult> | undefined;
  let isRunning = false;
  let finished = 0;

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
    countFinished: () => finished,
    /**
     * Concurrent callers share one renewal, since a refresh token works once. `finishedBefore` is the number of finished
     * renewals when the refused token was sent. If a renewal has finished since, its outcome is shared too, even a failure.
     */
    renew: (refused: Tokens, finishedBefore: number): Promise<RenewalResult> => {
      if (latest !== undefined && (isRunning || finished > finishedBefore)) return latest;
      isRunning = true;
      latest = tokens
        .alone(() => refresh(refused))
        .finally(() => {
          isRunning = false;
          finished += 1;
        });
      return latest;
    },
  };
};

/**
 * A `fetch` that sends the access token with every request, renews it if it is refused, and repeats a request once the
 * user has given the fresh proof that it needs. It stores the tokens of a sign-in and deletes them at a sign-out.
 */
export const makeSessionFetch = (parts: SessionParts): Fetch => {
  const { fetch, tokens, onProofNeeded } = parts;
  const { countFinished, renew } = makeRenew(parts);

  const storeTokens = async (request: Request, answer: Response): Promise<void> => {
    if (!answer.ok) return;
    if (goesTo(request, ENDING_SESSION)) await tokens.set(null);
    if (!goesTo(request, ISSUING_TOKENS)) return;
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
    return renewed instanceof Response ? renewed.clone() : send(copy, renewed);
  };

  return async (request) => {
    const answer = await sendWithProof(sendAuthorized, request, onProofNeeded);
    await storeTokens(request, answer);
    return answer;
  };
};
