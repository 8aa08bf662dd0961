import type { NewCookie } from '../../../core/index.ts';

/** The name of a session cookie, and the attributes of each Set-Cookie header that sets or clears it. */
export interface CookieForm {
  readonly name: string;
  readonly attributes: string;
}

/**
 * The cookie of a user's session. With https the name starts with `__Host-`, which only this host can set, not a sibling
 * host (RFC 6265bis section 4.1.3.2). Without https, on a developer's machine, browsers reject that name.
 */
export const cookieForm = (https: boolean): CookieForm => ({
  name: https ? '__Host-gatehouse' : 'gatehouse',
  attributes: `Path=/; HttpOnly;${https ? ' Secure;' : ''} SameSite=Lax`,
});

/**
 * The cookie of a session of the operators' console, which is a separate origin. Cookies ignore ports, so on a developer's
 * machine the console's cookie needs its own name. Without https its path is limited to the API; with https the `__Host-`
 * prefix requires the path `/`.
 */
export const consoleCookieForm = (https: boolean): CookieForm => ({
  name: https ? '__Host-gatehouse-console' : 'gatehouse-console',
  attributes: `${https ? 'Path=/; HttpOnly; Secure' : 'Path=/api; HttpOnly'}; SameSite=Strict`,
});

/** The value of the Set-Cookie header that sets the cookie. */
export const setCookieLine = ({ name, attributes }: CookieForm, { value, maxAge }: NewCookie): string =>
  `${name}=${value}; ${attributes}; Max-Age=${maxAge}`;

/** The value of the Set-Cookie header that clears the cookie: the same name and attributes, with an age of 0. */
export const clearCookieLine = ({ name, attributes }: CookieForm): string =>
  `${name}=; ${attributes}; Max-Age=0`;
