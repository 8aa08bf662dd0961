import type { Middleware } from './context.ts';

const EXPOSED = [
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Lets pages of exactly these origins call the service, without credentials: callers send a bearer token, not a cookie. */
export const allowOrigins = (origins: readonly string[]): Middleware => {
  const allowed = new Set(origins);
  return (ctx, next) => {
    ctx.vary('Origin');
    const { origin } = ctx.req.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next();
    // Not PUT: only the console has such routes, and no other origin may use it.
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match, X-Request-Id');
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
    return Promise.resolve();
  };
};
