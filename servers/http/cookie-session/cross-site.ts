import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** What a request may do with the cookie of a session. */
type Judgement = 'accepted' | 'ignored' | 'refused';

export const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Whether the headers say that a page of this site sent the request. */
const isOwn = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(req));
  return origin === undefined ? isReading(req) : origins.includes(origin);
};

/**
 * Decides by Fetch Metadata, or by Origin where a browser sends none, whether another site may have sent a request. The
 * Host is not trusted. A cross-site read goes on without its cookie.
 */
export const judge = (req: IncomingMessage, origins: readonly string[]): Judgement => {
  if (isOwn(req, origins)) return 'accepted';
  return isReading(req) ? 'ignored' : 'refused';
};

export const crossSite = () =>
  new HttpError(403, 'cross_site', 'This request comes from another site, or does not say from which.');
