/**
 * What every page for people has beside its content policy, and every answer of the operators' console: nobody frames it,
 * takes it into a page of theirs, or learns from where somebody came.
 */
export const FRONT_HEADERS = {
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
} as const;
