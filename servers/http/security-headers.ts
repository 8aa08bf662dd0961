import type { Middleware } from './context.ts';

/**
 * The headers of every answer, and `more` of the app's own. A route may set another `Cache-Control`. HSTS (RFC 6797) is
 * for a year, and only over https.
 */
export const setHeaders =
  (https: boolean, more: Readonly<Record<string, string>> = {}): Middleware =>
  (ctx, next) => {
    for (const name in more) ctx.res.setHeader(name, more[name] ?? '');
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    if (https) ctx.res.setHeader('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
