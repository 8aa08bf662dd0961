import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

export const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether the headers say that a page of this site sent the request. Fetch Metadata decides; if a browser does not send it,
 * Origin does. A read also passes if the user began it (`none`), or if it has neither header. The Host is not trusted.
 */
export const isFromThisSite = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(req));
  return origin === undefined ? isReading(req) : origins.includes(origin);
};

export const crossSite = () =>
  new HttpError(403, 'cross_site', 'This request comes from another site, or does not say from which.');
