/**
 * Headers of every page for people, beside its content policy, and of every response of the operators' console: they
 * forbid framing, cross-origin embedding and referrers.
 */
export const FRONT_HEADERS = {
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
} as const;
