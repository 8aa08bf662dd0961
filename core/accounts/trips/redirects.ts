import { invalid } from '../../errors.ts';

/** Longer ones would not fit into a cookie together with the rest of a trip. */
const REDIRECT_LONGEST = 1_024;

/** An entry of a native app, which listens at a port of its own (RFC 8252 section 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(\/.*)$/;

const PORT = /^:(?:[1-9][0-9]{0,4})$/;

const isAtSomePort = (entry: string, given: string): boolean => {
  const [, host, path] = LOOPBACK.exec(entry) ?? [];
  if (host === undefined || path === undefined) return false;
  if (!given.startsWith(host) || !given.endsWith(path)) return false;
  const port = given.slice(host.length, given.length - path.length);
  return PORT.test(port) && Number(port.slice(1)) <= 65_535;
};

/**
 * Whether a trip may end at the address: it must equal an entry as text, or one on a loopback but for its port. Nothing
 * is normalised (RFC 9700 section 4.1.3).
 */
export const isRedirect = (entries: readonly string[], given: string): boolean =>
  given.length <= REDIRECT_LONGEST && entries.some((entry) => entry === given || isAtSomePort(entry, given));

export const invalidRedirect = () =>
  invalid(
    'invalid_redirect',
    'This app may not send people back to that address: SIGN_IN_REDIRECTS lacks it.',
  );

/** The address with more in its query, as a text: nothing of it is spelled anew. */
export const withQuery = (address: string, members: Readonly<Record<string, string>>): string => {
  const query = Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
};
