import type { NewCookie } from '../../../core/index.ts';

/** The cookie of a session: its name, and the attributes of every line that sets or clears it. */
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
export const consoleForm = (https: boolean): CookieForm => ({
  name: https ? '__Host-gatehouse-console' : 'gatehouse-console',
  attributes: `${https ? 'Path=/; HttpOnly; Secure' : 'Path=/api; HttpOnly'}; SameSite=Strict`,
});

export const settingLine = ({ name, attributes }: CookieForm, { value, maxAge }: NewCookie): string =>
  `${name}=${value}; ${attributes}; Max-Age=${maxAge}`;

/** Browsers clear a cookie by a line with its name and path; this one has all attributes with which it was set. */
export const clearingLine = ({ name, attributes }: CookieForm): string =>
  `${name}=; ${attributes}; Max-Age=0`;
