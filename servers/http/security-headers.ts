import type { Middleware } from './context.ts';

/**
 * Sets the app's own headers in `more`, then the headers of every answer, which replace headers of the same name. A route may
 * set another `Cache-Control`. HSTS (RFC 6797) is for a year, and only over https.
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

/**
 * Headers of the fronts' pages, of error pages (both also have a content policy), and of every response of the operators'
 * console. They forbid framing, cross-origin embedding, referrers, and the use of camera, microphone and location.
 */
export const FRONT_HEADERS = {
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
} as const;
