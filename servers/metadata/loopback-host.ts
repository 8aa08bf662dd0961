import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http/http-error.ts';

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Admits callers whose `Host` is a loopback name or address; the settings ensure that the service listens on such an address.
 * Throws 403 for another `Host`: a web page could point a name of its own at this machine and send its visitors' browsers
 * here (DNS rebinding).
 */
export const trustLoopbackHost = (req: IncomingMessage): boolean => {
  if (LOOPBACK.test(req.headers.host ?? '')) return true;
  throw new HttpError(403, 'forbidden_host', 'The Host header must name a loopback address.');
};
