/** A response as it is sent: the cookie of a session is in a header, not in the body. */
export type WithoutCookie<T> = T extends unknown ? Omit<T, 'cookie'> : never;

type Tokens = 'token' | 'refreshToken';

/** A response with tokens, which are absent where a cookie replaces them. */
export type InTokensOrNot<T> =
  T extends Record<Tokens, string> ? Omit<T, 'cookie' | Tokens> & Partial<Pick<T, Tokens>> : T;
