import { isIPv4 } from 'node:net';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** The query parameters that an address may have. Others would override the options set here. */
const TAKEN = /^(?:name|tls\..+)$/;

/**
 * The address as nodemailer is given it. Neither login nor mail crosses a network in clear: to another machine STARTTLS
 * is required (RFC 3207), unless `plain` allows otherwise. Throws a `TypeError` for what is no address.
 */
export const serverUrl = (given: string, plain: boolean): string => {
  const url = new URL(given);
  const { searchParams: options } = url;
  for (const name of [...options.keys()]) if (!TAKEN.test(name)) options.delete(name);
  // In the address, since what stands there goes before all other options.
  if (url.protocol === 'smtp:' && !plain && !isLoopback(url.hostname)) options.set('requireTLS', 'true');
  return url.href;
};
