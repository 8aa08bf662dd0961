import { Readable } from 'node:stream';
import { type Answer, JSON_TYPE } from './answer.ts';
import type { Context } from './context.ts';

/** Sends a route's answer: JSON, bytes, a stream, or only status and headers. */
export const sendAnswer = (ctx: Context, { status, body, text, headers }: Answer): void => {
  // Koa knows Node.js's own bytes alone, and takes others for an object to be written as JSON.
  const bytes =
    body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
  const asItIs = body === undefined || bytes !== undefined || body instanceof Readable;
  // JSON is written here and not by Koa, so that a value that cannot be serialised is an ordinary error. Node.js sends
  // text and head in one packet, bytes in two.
  const content = asItIs ? (bytes ?? body ?? text ?? '') : JSON.stringify(body);
  if (!asItIs) ctx.res.setHeader('Content-Type', JSON_TYPE);
  for (const name in headers) ctx.set(name, headers[name] ?? '');
  ctx.status = status;
  ctx.body = content;
};
