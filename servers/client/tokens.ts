/** What a login answers, as far as the client needs it. */
export interface Tokens {
  /** The access token. */
  readonly token: string;
  /** Good once: every use of it gives the next. */
  readonly refreshToken: string;
}

/** Where tokens are kept; null while nobody is logged in. */
export interface TokenStore {
  get(): Tokens | null | Promise<Tokens | null>;
  set(tokens: Tokens | null): void | Promise<void>;
  /** Runs `work` while nobody else who shares the tokens runs any: a refresh token must not be used twice. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps tokens for as long as the program, or the page, lives. */
export const memoryTokens = (initial: Tokens | null = null): TokenStore => {
  let held = initial;
  let last: Promise<unknown> = Promise.resolve();
  return {
    get: () => held,
    set: (tokens) => {
      held = tokens;
    },
    alone: (work) => {
      const run = last.then(work);
      last = run.catch(() => undefined);
      return run;
    },
  };
};

/** What is used of `localStorage`. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** What is used of `navigator.locks`. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The tokens in an answer; undefined where there are none, as in a challenge for the second factor. */
export const tokensIn = (body: unknown): Tokens | undefined => {
  const { token, refreshToken }: Readonly<Record<string, unknown>> = Object(body);
  return typeof token === 'string' && typeof refreshToken === 'string' ? { token, refreshToken } : undefined;
};

const read = (text: string | null): Tokens | null => {
  try {
    return tokensIn(JSON.parse(text ?? 'null')) ?? null;
  } catch {
    return null;
  }
};

/** Milliseconds in which a browser carries what one tab stored to the others; it hands a lock on sooner than that. */
const CARRIED = 50;

/** Keeps tokens where all tabs of a site have them: `storedTokens(localStorage, navigator.locks)`. */
export const storedTokens = (storage: Storage, locks: Locks, name = 'gatehouse'): TokenStore => ({
  get: () => read(storage.getItem(name)),
  set: (tokens) => {
    if (tokens === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(tokens));
  },
  alone: (work) =>
    locks.request(name, async () => {
      await new Promise((resolve) => setTimeout(resolve, CARRIED));
      return work();
    }),
});
