/** An answer as it is sent: the cookie of a session goes into a header, and not into the body. */
export type WithoutCookie<T> = T extends unknown ? Omit<T, 'cookie'> : never;
