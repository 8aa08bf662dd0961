import { type TokenStore, type Tokens, tokensIn } from './tokens.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface SessionParts {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly tokens: TokenStore;
  /** Called once when the session is over and was not ended here: expired, revoked, or logged out elsewhere. */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** What a call that needs a fresh proof is refused with. */
export interface ProofNeeded {
  /** Seconds that a proof stays fresh. */
  readonly maxAge: number;
  /** What the account can prove by, such as `password` and `totp`. */
  readonly methods: readonly string[];
}

/** Has the user prove who they are by `/api/auth/reauthenticate`; false when they did not. */
export type OnProofNeeded = (needed: ProofNeeded) => boolean | Promise<boolean>;

/** What came of a renewal: tokens to go on with, a refusal that says nothing about the session, or its end. */
type Renewed = Tokens | Response | null;

/** Answers that begin a session or go on with new tokens, and those that end it, by how the paths of their requests end. */
const BEGINS = ['/api/auth/login', '/api/auth/verify-email', '/api/auth/refresh', '/api/auth/password'];
const ENDS = ['/api/auth/logout', '/api/auth/delete-account'];

/** By the end, since the request has its whole address, and `baseUrl` may be another way to write it, or relative. */
const goesTo = (request: Request, paths: readonly string[]): boolean => {
  const { pathname } = new URL(request.url);
  return paths.some((path) => pathname.endsWith(path));
};

/** Whoever gives up waiting leaves the work to those who still wait for it. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/** RFC 6750 section 3.1: so only the token is refused, not a password or a code that came with it. */
const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 && (headers.get('WWW-Authenticate') ?? '').includes('invalid_token');

/** Undefined for any other answer. */
const proofNeededBy = async (answer: Response): Promise<ProofNeeded | undefined> => {
  if (answer.status !== 403) return undefined;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  const { code, maxAge, methods }: Readonly<Record<string, unknown>> = Object(body);
  if (code !== 'fresh_authentication_needed') return undefined;
  return { maxAge: Number(maxAge), methods: Array.isArray(methods) ? methods.map(String) : [] };
};

const makeRenew = ({ baseUrl, fetch, tokens, onLoggedOut }: Omit<SessionParts, 'onProofNeeded'>) => {
  let last: Promise<Renewed> | undefined;
  let running = false;
  let count = 0;

  const exchange = async (refused: Tokens): Promise<Renewed> => {
    const held = await tokens.get();
    // Somebody logged out, or renewed them, since the refused ones were sent: in another tab, perhaps.
    if (held === null || held.token !== refused.token) return held;
    const answer = await fetch(
      new Request(`${baseUrl}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refreshToken: held.refreshToken }),
      }),
    );
    const next = answer.ok ? tokensIn(await answer.clone().json()) : undefined;
    const now = await tokens.get();
    if (now?.refreshToken !== held.refreshToken) return now;
    if (next === undefined && answer.status !== 401) return answer;
    await tokens.set(next ?? null);
    if (next === undefined) onLoggedOut();
    return next ?? null;
  };

  return {
    /** How many have ended so far. */
    count: () => count,
    /**
     * However many ask at once, a refresh token is sent once: it is good for one use. Who sent the refused token when
     * `since` renewals had ended shares what came of a later one, be it a failure.
     */
    renew: (refused: Tokens, since: number): Promise<Renewed> => {
      if (last !== undefined && (running || count > since)) return last;
      running = true;
      last = tokens
        .alone(() => exchange(refused))
        .finally(() => {
          running = false;
          count += 1;
        });
      return last;
    },
  };
};

/**
 * A `fetch` that sends the access token with every request, renews it when it is refused, and sends a request again once
 * the user has given the fresh proof that it needs. Logging in keeps the tokens of the answer, logging out drops them.
 */
export const makeSessionFetch = (parts: SessionParts): Fetch => {
  const { fetch, tokens, onProofNeeded } = parts;
  const { count, renew } = makeRenew(parts);

  const note = async (request: Request, answer: Response): Promise<void> => {
    if (!answer.ok) return;
    if (goesTo(request, ENDS)) await tokens.set(null);
    if (!goesTo(request, BEGINS)) return;
    const found = tokensIn(await answer.clone().json());
    if (found !== undefined) await tokens.set(found);
  };

  const send = (request: Request, { token }: Tokens): Promise<Response> => {
    request.headers.set('Authorization', `Bearer ${token}`);
    return fetch(request);
  };

  const sendAuthorized = async (request: Request): Promise<Response> => {
    const held = await tokens.get();
    if (held === null || request.headers.has('Authorization')) return fetch(request);
    // A body can be sent once.
    const again = request.clone();
    const since = count();
    const answer = await send(request, held);
    if (!isTokenRefused(answer)) return answer;
    const renewed = await unlessAborted(renew(held, since), request.signal);
    if (renewed === null) return answer;
    return renewed instanceof Response ? renewed.clone() : send(again, renewed);
  };

  return async (request) => {
    // A body can be sent once.
    const again = request.clone();
    const first = await sendAuthorized(request);
    const needed = await proofNeededBy(first);
    const isProved = needed !== undefined && (await onProofNeeded(needed));
    const answer = isProved ? await sendAuthorized(again) : first;
    await note(request, answer);
    return answer;
  };
};
