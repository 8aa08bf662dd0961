/** The part of a sign-in response that the client uses. */
export interface Tokens {
  /** The access token. */
  readonly token: string;
  /** Works once: each use returns the next one. */
  readonly refreshToken: string;
}

/** Holds the tokens of a session, or null while nobody is signed in. */
export interface TokenStore {
  get(): Tokens | null | Promise<Tokens | null>;
  set(tokens: Tokens | null): void | Promise<void>;
  /** Runs `work` when no other `work` runs on these tokens: a refresh token must not be used twice. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps tokens in memory, until the program or the page ends. */
export const memoryTokens = (initial: Tokens | null = null): TokenStore => {
  let current = initial;
  let latestWork: Promise<unknown> = Promise.resolve();
  return {
    get: () => current,
    set: (tokens) => {
      current = tokens;
    },
    alone: (work) => {
      const run = latestWork.then(work);
      latestWork = run.catch(() => undefined);
      return run;
    },
  };
};

/** The part of `localStorage` that is used. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** The part of `navigator.locks` that is used. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The tokens in the body of a response; undefined if it has none, as when a second factor is needed. */
export const tokensIn = (body: unknown): Tokens | undefined => {
  // `Object` turns null into an empty object.
  const { token, refreshToken }: Readonly<Record<string, unknown>> = Object(body);
  return typeof token === 'string' && typeof refreshToken === 'string' ? { token, refreshToken } : undefined;
};

const parseTokens = (text: string | null): Tokens | null => {
  try {
    return tokensIn(JSON.parse(text ?? 'null')) ?? null;
  } catch {
    return null;
  }
};

/** A browser may pass a lock to another tab up to this much sooner than it shows that tab the writes made under the lock. */
const STORAGE_DELAY_MS = 50;

/** Keeps tokens where all tabs of a site share them: `storedTokens(localStorage, navigator.locks)`. */
export const storedTokens = (storage: Storage, locks: Locks, name = 'gatehouse'): TokenStore => ({
  get: () => parseTokens(storage.getItem(name)),
  set: (tokens) => {
    if (tokens === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(tokens));
  },
  alone: (work) =>
    locks.request(name, async () => {
      await new Promise((resolve) => setTimeout(resolve, STORAGE_DELAY_MS));
      return work();
    }),
});
