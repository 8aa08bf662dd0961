import { withoutSpace } from './optional-whitespace.ts';

/** A cookie as a browser sends it back. */
export interface SentCookie {
  readonly name: string;
  readonly value: string;
}

/**
 * The cookies of a Cookie header, in its order: of the cookies for one path, browsers send the oldest first (RFC 6265 section
 * 5.4). Each byte of the header is one character here, and names are compared byte by byte: a sibling host can set a cookie
 * whose name only resembles a `__Host-…` name, and such a cookie must not be taken for the real one.
 */
export const cookiesIn = (header: string): readonly SentCookie[] =>
  header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return [];
    return [{ name: withoutSpace(pair.slice(0, equals)), value: withoutSpace(pair.slice(equals + 1)) }];
  });

/** The values that a Cookie header has for a name, in their order. */
export const valuesOf = (header: string, name: string): readonly string[] =>
  cookiesIn(header).flatMap((cookie) => (cookie.name === name ? [cookie.value] : []));
