import { invalid } from '../../errors.ts';
import { text } from '../../schema.ts';

export const REDIRECT_EXAMPLE = 'https://app.example.com/signed-in';

export const REDIRECT_URI = text({
  maxLength: 4_096,
  description: 'One of `SIGN_IN_REDIRECTS`, as text',
  examples: [REDIRECT_EXAMPLE],
});

/**
 * The flow's cookie must hold the address beside the rest of the flow. The schema `REDIRECT_URI` allows more, so that a longer
 * address is refused as `invalid_redirect` and not as `invalid_request`.
 */
const REDIRECT_LONGEST = 1_024;

/** An entry on a loopback address without a port: a native app chooses its port (RFC 8252 section 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(\/.*)$/;

const PORT = /^:(?:[1-9][0-9]{0,4})$/;

const isAtSomePort = (entry: string, address: string): boolean => {
  const [, host, path] = LOOPBACK.exec(entry) ?? [];
  if (host === undefined || path === undefined) return false;
  if (!address.startsWith(host) || !address.endsWith(path)) return false;
  const port = address.slice(host.length, address.length - path.length);
  return PORT.test(port) && Number(port.slice(1)) <= 65_535;
};

/**
 * Whether a flow may end at the address: it must equal an entry as text. An entry on a loopback address without a port also
 * allows the same address at any port. Nothing is normalised (RFC 9700 section 4.1.3).
 */
export const isRedirect = (entries: readonly string[], address: string): boolean =>
  address.length <= REDIRECT_LONGEST &&
  entries.some((entry) => entry === address || isAtSomePort(entry, address));

export const invalidRedirect = () =>
  invalid(
    'invalid_redirect',
    'This app may not send people back to that address: SIGN_IN_REDIRECTS lacks it.',
  );

/** Appends parameters to the query as text, so that the rest of the address keeps its spelling. */
export const withQuery = (address: string, members: Readonly<Record<string, string>>): string => {
  const query = Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
};
