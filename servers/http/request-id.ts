import { randomUUID } from 'node:crypto';
import type { Middleware } from './context.ts';

const TAKEN_AS_GIVEN = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Takes the caller's `X-Request-Id` if it is well-formed, otherwise makes one. The answer and all log lines carry it.
 */
export const giveRequestId: Middleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  const id = typeof given === 'string' && TAKEN_AS_GIVEN.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
