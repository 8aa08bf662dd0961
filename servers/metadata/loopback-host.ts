import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http/http-error.ts';

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Lets in whoever reaches a service that listens on a loopback address, by a name for it: a page of the web that had
 * its own name point here would be sent on by a browser with that name. Throws 403.
 */
export const trustLoopbackHost = (req: IncomingMessage): boolean => {
  if (LOOPBACK.test(req.headers.host ?? '')) return true;
  throw new HttpError(403, 'forbidden_host', 'The Host header must name a loopback address.');
};
