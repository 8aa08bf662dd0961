import { Readable } from 'node:stream';
import { type Answer, JSON_TYPE } from './answer.ts';
import type { Context } from './context.ts';

/** Sends what a route answers: JSON, or bytes and streams as they are, or nothing but the status and headers. */
export const sendAnswer = (ctx: Context, { status, body, text, headers }: Answer): void => {
  const asItIs = body === undefined || body instanceof Uint8Array || body instanceof Readable;
  // Written here, not by Koa, so that what cannot be written is an error like any other. Node.js sends text and head in
  // one piece, and bytes in two.
  const content = asItIs ? (body ?? text ?? '') : JSON.stringify(body);
  if (!asItIs) ctx.res.setHeader('Content-Type', JSON_TYPE);
  for (const name in headers) ctx.set(name, headers[name] ?? '');
  ctx.status = status;
  ctx.body = content;
};
