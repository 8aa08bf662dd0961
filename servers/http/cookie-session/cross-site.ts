import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.ts';

/** What a request may do with the cookie of a session. */
export type Judgement = 'goes' | 'as without' | 'refused';

export const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Whether the browser, or a server in its place, says that a page of the site itself sends the request. */
const isOwn = (req: IncomingMessage, origins: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(req));
  return origin === undefined ? isReading(req) : origins.includes(origin);
};

/**
 * Whether another site may stand behind a request, by Fetch Metadata, and by Origin where a browser sends none. The Host
 * decides nothing. A request that reads goes on as if it had no cookie.
 */
export const judge = (req: IncomingMessage, origins: readonly string[]): Judgement => {
  if (isOwn(req, origins)) return 'goes';
  return isReading(req) ? 'as without' : 'refused';
};

export const crossSite = () =>
  new HttpError(403, 'cross_site', 'This request comes from another site, or does not say from which.');
