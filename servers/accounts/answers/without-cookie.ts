/** An answer as it is sent: the cookie of a session goes into a header, and not into the body. */
export type WithoutCookie<T> = T extends unknown ? Omit<T, 'cookie'> : never;

type Tokens = 'token' | 'refreshToken';

/** The same of an answer with tokens, which it lacks where there is a cookie in their place. */
export type InTokensOrNot<T> =
  T extends Record<Tokens, string> ? Omit<T, 'cookie' | Tokens> & Partial<Pick<T, Tokens>> : T;
