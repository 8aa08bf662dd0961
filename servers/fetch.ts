import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Handler } from './handlers.ts';

/** What is known of a request beside the request itself. */
export interface From {
  /**
   * The address of the connection: the client's, or that of a proxy in `TRUSTED_PROXIES`, which names the client in
   * `X-Forwarded-For`. Without it all callers count as one client.
   */
  readonly peer?: string | undefined;
}

/** Answers a web-standard request. Rejects if the request is aborted, or its body fails, before the answer. */
export type FetchHandler = (request: Request, from?: From) => Promise<Response>;

/** These concern one connection or the framing of a message: each side has its own (RFC 9110 section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Statuses without a body (Fetch standard, "null body status"). */
const BODILESS = new Set([204, 205, 304]);

const headersOf = (request: Request, host: string): Record<string, string> => {
  const kept = [...request.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  return { host, ...Object.fromEntries(kept) };
};

const responseOf = (answer: IncomingMessage, method: string): Response => {
  const { statusCode: status = 500, rawHeaders } = answer;
  const headers = new Headers();
  for (const [at, name] of rawHeaders.entries()) {
    // A reader of the body finds its length; the rest was about the connection within.
    const isKept = name.toLowerCase() === 'content-length' || !HOP_BY_HOP.has(name.toLowerCase());
    if (at % 2 === 0 && isKept) headers.append(name, rawHeaders[at + 1] ?? '');
  }
  if (method === 'HEAD' || BODILESS.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer), { status, headers });
};

/** Two ends of a connection without a network, which close together. */
const connect = (peer: string | undefined): readonly [Duplex, Duplex] => {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  return [near, Object.assign(far, { remoteAddress: peer })];
};

/**
 * Turns a handler into a function from `Request` to `Response`, for frameworks that have no request of Node.js, such as
 * the route handlers of Next. Each call is a request over a connection in memory, so that the handler finds the
 * requests and answers that it knows: bodies are streams in both directions, and an abort closes the connection. See
 * decision 0091.
 */
export const toFetch = (handler: Handler): FetchHandler => {
  const server = createServer({ requireHostHeader: false }, (req, res) => handler(req, res));
  return (request, { peer } = {}) =>
    new Promise((resolve, reject) => {
      const [near, far] = connect(peer);
      server.emit('connection', far);
      const { method, body, signal } = request;
      const { pathname, search, host } = new URL(request.url);
      const headers = headersOf(request, host);
      const sent = send({ createConnection: () => near, method, path: pathname + search, headers, signal });
      sent.on('error', reject);
      sent.on('response', (answer) => resolve(responseOf(answer, method)));
      if (body === null) return void sent.end();
      // Fails with what ended the body, with the request, or with an answer before the body's end. The first two reject.
      pipeline(Readable.fromWeb(body).on('error', reject), sent).catch(() => undefined);
    });
};
