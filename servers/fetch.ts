import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Handler } from './handlers.ts';

/** Facts about a request that `Request` does not hold. */
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
  const forwarded = [...request.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  return { host, ...Object.fromEntries(forwarded) };
};

/**
 * Reads a piece of the answer when a piece of the body is read. `Readable.toWeb` of older versions of Node.js counts pieces as
 * bytes and holds 16,384 of them.
 */
const bodyOf = (answer: IncomingMessage): ReadableStream<Uint8Array> => {
  const pieces = answer[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: 0 },
  );
};

const responseOf = (answer: IncomingMessage, method: string): Response => {
  const { statusCode: status = 500, rawHeaders } = answer;
  const headers = new Headers();
  for (const [at, name] of rawHeaders.entries()) {
    // Dropped headers concern the inner connection; readers of the body compute its length.
    const isKept = name.toLowerCase() === 'content-length' || !HOP_BY_HOP.has(name.toLowerCase());
    if (at % 2 === 0 && isKept) headers.append(name, rawHeaders[at + 1] ?? '');
  }
  if (method === 'HEAD' || BODILESS.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(answer), { status, headers });
};

/** Bytes that pass from one end to the other at once. Node.js would parse, and copy, a whole answer that is written at once. */
const PIECE = 65_536;

/** Writes to an end in pieces, each after the other end has taken the previous one. */
const writeInPieces = (end: Duplex): void => {
  const write = end._write.bind(end);
  end._write = (chunk: Uint8Array, encoding, callback) => {
    let at = 0;
    const writeNext = (): void => {
      const piece = chunk.subarray(at, at + PIECE);
      at += PIECE;
      write(piece, encoding, at < chunk.length ? writeNext : callback);
    };
    writeNext();
  };
};

/** Two ends of a connection without a network, which close together. */
const connect = (peer: string | undefined): readonly [Duplex, Duplex] => {
  const [near, far] = duplexPair();
  writeInPieces(far);
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  return [near, Object.assign(far, { remoteAddress: peer })];
};

/**
 * Turns a handler into a function from `Request` to `Response`, for frameworks that have no request of Node.js, such as
 * the route handlers of Next. Each call is a request over a connection in memory, so that the handler finds the
 * requests and answers that it knows: bodies are streams in both directions, and an abort closes the connection. See
 * decision 0062.
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
      const clientRequest = send({
        createConnection: () => near,
        method,
        path: pathname + search,
        headers,
        signal,
      });
      clientRequest.on('error', reject);
      clientRequest.on('response', (answer) => resolve(responseOf(answer, method)));
      if (body === null) return void clientRequest.end();
      // Fails with the body, with the request, or by a response before the body's end. The first two cases reject.
      pipeline(Readable.fromWeb(body).on('error', reject), clientRequest).catch(() => undefined);
    });
};
