import type { Middleware } from './context.ts';

/** The headers of every answer; a route may say another `Cache-Control`. HSTS (RFC 6797) for a year, only on https. */
export const setHeaders =
  (https: boolean): Middleware =>
  (ctx, next) => {
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    if (https) ctx.res.setHeader('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
