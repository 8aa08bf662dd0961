import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from './context.ts';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's `X-Request-Id`; undefined if it is missing or malformed. */
export const readRequestId = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['x-request-id'];
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : undefined;
};

/** Takes the caller's `X-Request-Id` if it is well-formed, otherwise makes one. The answer and all log lines carry it. */
export const assignRequestId: Middleware = (ctx, next) => {
  const id = readRequestId(ctx.req) ?? randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
