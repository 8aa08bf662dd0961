import { Readable } from 'node:stream';
import type { Context } from './context.ts';
import { isLarge, streamInPieces } from './large-response.ts';
import { JSON_TYPE, type ResponseBody } from './response-body.ts';

// JSON is serialised here and not by Koa, so that a value that cannot be serialised is an ordinary error. Koa sends a
// `Buffer` as bytes, but would serialise any other `Uint8Array` as an object.
const contentOf = ({ body, text }: ResponseBody): Buffer | Readable | string => {
  if (body === undefined) return text ?? '';
  if (body instanceof Readable) return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return JSON.stringify(body);
};

/** Sends a route's answer: JSON, bytes, a stream, a text, or only status and headers. */
export const sendResponse = (ctx: Context, answer: ResponseBody): void => {
  const { status, body, headers, bytesId } = answer;
  const content = contentOf(answer);
  const isJson = body !== undefined && typeof content === 'string';
  if (isJson) ctx.res.setHeader('Content-Type', JSON_TYPE);
  for (const name in headers) ctx.set(name, headers[name] ?? '');
  ctx.status = status;
  const needsNoPieces = content instanceof Readable || !isLarge(content);
  // A short text stays text: Node.js sends it and the head in one packet, bytes in two. If the connection is closed already, no
  // event would end a stream of pieces.
  if (needsNoPieces || ctx.method === 'HEAD' || ctx.req.socket.destroyed) {
    ctx.body = content;
    return;
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  // Responses with one key share the bytes. The key is never `content`, which is a new view of the route's bytes each time.
  const key = bytesId ?? (body instanceof Uint8Array ? body : bytes);
  ctx.body = streamInPieces(ctx.res, { bytes, key, client: ctx.state.client.key });
  ctx.set('Content-Length', String(bytes.length));
};
