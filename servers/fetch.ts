import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireArguments } from '../core/check-arguments.ts';
import { CALL, custom, object, optional, TEXT } from '../core/schema.ts';
import type { Handler } from './handlers.ts';

/** Facts about a request that `Request` does not hold. */
export interface From {
  /**
   * The address of the connection: the client's, or that of a proxy in `TRUSTED_PROXIES`, which names the client in
   * `X-Forwarded-For`. Without it all callers count as one client.
   */
  readonly peer?: string | undefined;
}

/**
 * Answers a web-standard request. Rejects if the request is aborted or its body fails before the answer, and with
 * `invalid_request` for an argument of another type.
 */
export type FetchHandler = (request: Request, from?: From) => Promise<Response>;

const ARGUMENTS = {
  request: custom('a web-standard Request', (value) => {
    const { url, headers }: { readonly url?: unknown; readonly headers?: unknown } = Object(value);
    return typeof url === 'string' && typeof Reflect.get(Object(headers), 'get') === 'function';
  }),
  from: object({ peer: optional(TEXT) }),
};

/** Headers of the connection or of framing (RFC 9110 section 7.6.1). Only the length of a response is passed on. */
const CONNECTION_HEADERS = new Set([
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
  const forwarded = [...request.headers].filter(([name]) => !CONNECTION_HEADERS.has(name));
  // A `Host` header of the request takes precedence over the host of its URL: a framework may put its own address in the URL.
  return { host, ...Object.fromEntries(forwarded) };
};

/**
 * The body of the answer. A chunk is read only when the reader of the body wants one: `Readable.toWeb` of older versions of
 * Node.js would buffer 16,384 chunks, since it counts chunks as bytes.
 */
const bodyOf = (answer: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
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
  // `rawHeaders` alternates names and values.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    // The body is passed on unchanged, so its length stays true. After HEAD only this header tells the length.
    const isForwarded =
      name.toLowerCase() === 'content-length' || !CONNECTION_HEADERS.has(name.toLowerCase());
    if (isForwarded) headers.append(name, value);
  }
  if (method === 'HEAD' || BODILESS.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(answer), { status, headers });
};

/** The most bytes of one write. A whole answer in one write would be parsed and copied in one turn of the event loop. */
const PIECE_BYTES = 65_536;

/** Makes this end write in pieces from now on. Each piece waits until the other end has taken the previous one. */
const writeInPieces = (end: Duplex): void => {
  const write = end._write.bind(end);
  end._write = (chunk: Uint8Array, encoding, callback) => {
    let offset = 0;
    const writeNext = (): void => {
      const piece = chunk.subarray(offset, offset + PIECE_BYTES);
      offset += PIECE_BYTES;
      write(piece, encoding, offset < chunk.length ? writeNext : callback);
    };
    writeNext();
  };
};

/** Connects a client and a server in memory. If one end closes, so does the other. */
const connect = (peer: string | undefined): readonly [Duplex, Duplex] => {
  const [clientEnd, serverEnd] = duplexPair();
  writeInPieces(serverEnd);
  clientEnd.once('close', () => serverEnd.destroy());
  serverEnd.once('close', () => clientEnd.destroy());
  return [clientEnd, Object.assign(serverEnd, { remoteAddress: peer })];
};

/**
 * Turns a handler into a function from `Request` to `Response`, for frameworks without Node.js requests, such as the route
 * handlers of Next. Each call is a request over a connection in memory, so that the handler gets the requests and
 * responses of Node.js: bodies are streams in both directions, and an abort closes the connection. See decision 0062.
 */
export const toFetch = (handler: Handler): FetchHandler => {
  requireArguments([handler], { handler: CALL });
  // The handler itself checks the Host header.
  const server = createServer({ requireHostHeader: false }, (req, res) => handler(req, res));
  return async (request, from = {}) => {
    requireArguments([request, from], ARGUMENTS);
    return new Promise((resolve, reject) => {
      const [clientEnd, serverEnd] = connect(from.peer);
      server.emit('connection', serverEnd);
      const { method, body, signal } = request;
      const { pathname, search, host } = new URL(request.url);
      const clientRequest = send({
        createConnection: () => clientEnd,
        method,
        path: pathname + search,
        headers: headersOf(request, host),
        signal,
      });
      clientRequest.on('error', reject);
      clientRequest.on('response', (answer) => resolve(responseOf(answer, method)));
      if (body === null) return void clientRequest.end();
      // The listeners for `error` reject the promise. The pipeline also fails if the response ends before the body, which is no
      // failure of the request.
      pipeline(Readable.fromWeb(body).on('error', reject), clientRequest).catch(() => undefined);
    });
  };
};
