import type { Middleware } from './context.ts';

/**
 * The headers of every answer. A route may set another `Cache-Control`. HSTS (RFC 6797) is for a year, and only over
 * https.
 */
export const setHeaders =
  (https: boolean): Middleware =>
  (ctx, next) => {
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    if (https) ctx.res.setHeader('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
