import type { NewCookie } from '../../../core/index.ts';

/** The cookie of a session: its name, and what every line that sets or clears it has. */
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
 * The same for the operators' console, which is an origin of its own. On one's own machine another port is the same site
 * to cookies, so it has a name of its own, and goes to the calls alone.
 */
export const consoleForm = (https: boolean): CookieForm => ({
  name: https ? '__Secure-gatehouse-console' : 'gatehouse-console',
  attributes: `Path=/api; HttpOnly;${https ? ' Secure;' : ''} SameSite=Strict`,
});

export const settingLine = ({ name, attributes }: CookieForm, { value, maxAge }: NewCookie): string =>
  `${name}=${value}; ${attributes}; Max-Age=${maxAge}`;

/** With the attributes that it was set with: browsers leave another cookie alone. */
export const clearingLine = ({ name, attributes }: CookieForm): string =>
  `${name}=; ${attributes}; Max-Age=0`;

/** The values that a Cookie header has for a name (RFC 6265 section 4.2.1), in their order. */
export const valuesOf = (header: string, name: string): readonly string[] => {
  const found: string[] = [];
  for (let from = 0; from < header.length; ) {
    const next = header.indexOf(';', from);
    const end = next < 0 ? header.length : next;
    const equals = header.indexOf('=', from);
    if (equals >= 0 && equals < end && header.slice(from, equals).trim() === name)
      found.push(header.slice(equals + 1, end).trim());
    from = end + 1;
  }
  return found;
};
