import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from './context.ts';
import { HttpError, malformed } from './http-error.ts';
import { withoutSpace } from './optional-whitespace.ts';

/** Closes the connection after the answer: a proxy may see a different request in the bytes that follow. */
const wrongHost = () =>
  malformed('invalid_host', 'The request must have one Host header.', { Connection: 'close' });

const unreadableTarget = () =>
  malformed('invalid_http', 'The request has an invalid target.', { Connection: 'close' });

/** The most headers of a request. */
export const MOST_HEADERS = 100;

const tooManyHeaders = () =>
  new HttpError(431, 'headers_too_large', `The head may have at most ${MOST_HEADERS} headers.`, {
    Connection: 'close',
  });

const unmetExpectation = () =>
  new HttpError(417, 'expectation_failed', 'The only supported expectation is 100-continue.');

/**
 * Koa parses the target when its path is read, and throws if the target is malformed. It reads the backslash of `/a\b#c` as a
 * slash; a proxy that protects the path `/a/b` would not.
 */
const hasReadableTarget = (ctx: Context): boolean => {
  const [beforeQuery = ''] = (ctx.req.url ?? '').split('?', 1);
  try {
    return ctx.path !== undefined && !beforeQuery.includes('\\');
  } catch {
    return false;
  }
};

/**
 * Counts the Host headers among the raw headers: Node.js drops all but the first from `headers`. A request over HTTP/2 counts as
 * having one: it has `:authority` instead, and a proxy cannot read its bytes as a different request.
 */
const countHosts = ({ rawHeaders, httpVersionMajor }: IncomingMessage): number => {
  if (httpVersionMajor > 1) return 1;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/**
 * Refuses request heads that Node.js would accept, or would answer without a body: those without exactly one Host (RFC
 * 9112 section 3.2; HTTP/1.0 needs none), those with an unreadable target, such as `http://[`, and those with an
 * expectation other than 100-continue (RFC 9110 section 10.1.1; HTTP/1.0 has none, so there the header is ignored). Also
 * refuses heads with too many headers, of which Node.js would drop the last ones: a proxy may have added them, such as
 * `X-Forwarded-For`.
 */
export const checkHead: Middleware = (ctx, next) => {
  const { req } = ctx;
  if (!hasReadableTarget(ctx)) {
    // The code that makes the refusal reads the path as well.
    req.url = '/';
    throw unreadableTarget();
  }
  if (req.rawHeaders.length > 2 * MOST_HEADERS) throw tooManyHeaders();
  const isOld = req.httpVersion === '1.0';
  const hosts = countHosts(req);
  if (hosts > 1 || (hosts === 0 && !isOld)) throw wrongHost();
  const { expect } = req.headers;
  if (expect !== undefined && !isOld && withoutSpace(expect).toLowerCase() !== '100-continue')
    throw unmetExpectation();
  return next();
};
