import type { Fetch } from './fetch-types.ts';
import { type OnProofNeeded, sendWithProof } from './refusals.ts';
import { type TokenStore, type Tokens, tokensIn } from './tokens.ts';

export interface SessionParts {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly tokens: TokenStore;
  /** Called once if the session has ended elsewhere: it expired, was revoked, or the user signed out. */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** The outcome of a renewal: new tokens, a failure that says nothing about the session, or the session's end. */
type Renewed = Tokens | Response | null;

/** Requests whose answers begin or renew a session, and requests that end it, by the end of their path. */
const BEGINS = [
  '/api/auth/login',
  '/api/auth/login/passkey',
  '/api/auth/providers/exchange',
  '/api/auth/handover',
  '/api/auth/handover/redeem',
  '/api/auth/verify-email',
  '/api/auth/refresh',
  '/api/auth/password',
];
const ENDS = ['/api/auth/logout', '/api/auth/delete-account'];

/** The end of the path is compared, since `baseUrl` may be relative or another spelling of the address. */
const goesTo = (request: Request, paths: readonly string[]): boolean => {
  const { pathname } = new URL(request.url);
  return paths.some((path) => pathname.endsWith(path));
};

/** Rejects for a caller that aborts. The work goes on for the others. */
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
  let latest: Promise<Renewed> | undefined;
  let running = false;
  let count = 0;

  const exchange = async (refused: Tokens): Promise<Renewed> => {
    const current = await tokens.get();
    // The tokens have changed since the request was sent, perhaps in another tab: by a sign-out or a renewal.
    if (current === null || current.token !== refused.token) return current;
    const answer = await fetch(
      new Request(`${baseUrl}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refreshToken: current.refreshToken }),
      }),
    );
    const renewed = answer.ok ? tokensIn(await answer.clone().json()) : undefined;
    const now = await tokens.get();
    if (now?.refreshToken !== current.refreshToken) return now;
    if (renewed === undefined && answer.status !== 401) return answer;
    await tokens.set(renewed ?? null);
    if (renewed === undefined) onLoggedOut();
    return renewed ?? null;
  };

  return {
    /** The number of finished renewals. */
    count: () => count,
    /**
     * Concurrent callers share one renewal, since a refresh token works once. A caller whose refused token was sent
     * after `since` renewals shares the outcome of a later one, even of a failed one.
     */
    renew: (refused: Tokens, since: number): Promise<Renewed> => {
      if (latest !== undefined && (running || count > since)) return latest;
      running = true;
      latest = tokens
        .alone(() => exchange(refused))
        .finally(() => {
          running = false;
          count += 1;
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
  const { count, renew } = makeRenew(parts);

  const note = async (request: Request, answer: Response): Promise<void> => {
    if (!answer.ok) return;
    if (goesTo(request, ENDS)) await tokens.set(null);
    if (!goesTo(request, BEGINS)) return;
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
    // A body can be read only once.
    const copy = request.clone();
    const since = count();
    const answer = await send(request, current);
    if (!isTokenRefused(answer)) return answer;
    const renewed = await unlessAborted(renew(current, since), request.signal);
    if (renewed === null) return answer;
    return renewed instanceof Response ? renewed.clone() : send(copy, renewed);
  };

  return async (request) => {
    const answer = await sendWithProof(sendAuthorized, request, onProofNeeded);
    await note(request, answer);
    return answer;
  };
};
