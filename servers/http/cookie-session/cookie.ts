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

export const settingLine = ({ name, attributes }: CookieForm, { value, maxAge }: NewCookie): string =>
  `${name}=${value}; ${attributes}; Max-Age=${maxAge}`;

/** With the attributes that it was set with: browsers leave another cookie alone. */
export const clearingLine = ({ name, attributes }: CookieForm): string =>
  `${name}=; ${attributes}; Max-Age=0`;

/** The values that a Cookie header has for a name (RFC 6265 section 4.2.1), in their order. */
export const valuesOf = (header: string, name: string): readonly string[] =>
  header.split(';').flatMap((pair) => {
    const [given = '', ...value] = pair.split('=');
    return given.trim() === name ? [value.join('=').trim()] : [];
  });
