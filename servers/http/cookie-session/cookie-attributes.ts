import type { NewCookie } from '../../../core/index.ts';

/** The cookie of a session: its name, and the attributes of every line that sets or clears it. */
export interface CookieForm {
  readonly name: string;
  readonly attributes: string;
}

/**
 * With https the browser takes a cookie of this name only from this host itself, never from one beside it (RFC 6265bis
 * section 4.1.3.2). Without https, on one's own machine, it takes no such cookie.
 */
export const cookieForm = (https: boolean): CookieForm => ({
  name: https ? '__Host-gatehouse' : 'gatehouse',
  attributes: `Path=/; HttpOnly;${https ? ' Secure;' : ''} SameSite=Lax`,
});

/**
 * The cookie of the operators' console, which is a separate origin. Cookies ignore ports, so on a developer's machine
 * it needs its own name; without https its path is limited to the API. With https the `__Host-` prefix requires the
 * path `/`.
 */
export const consoleForm = (https: boolean): CookieForm => ({
  name: https ? '__Host-gatehouse-console' : 'gatehouse-console',
  attributes: `${https ? 'Path=/; HttpOnly; Secure' : 'Path=/api; HttpOnly'}; SameSite=Strict`,
});

export const settingLine = ({ name, attributes }: CookieForm, { value, maxAge }: NewCookie): string =>
  `${name}=${value}; ${attributes}; Max-Age=${maxAge}`;

/** Browsers clear a cookie only by the attributes that it was set with. */
export const clearingLine = ({ name, attributes }: CookieForm): string =>
  `${name}=; ${attributes}; Max-Age=0`;
