// Policies of pages and pictures (Content Security Policy level 3). None allows content from another origin.

/** Pages with scripts: they load and call only this origin, and no text becomes markup or code (Trusted Types). */
export const FRONT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Pages without a script, with one inline style sheet. */
export const scriptlessPolicy = (styleHash: string, imageSources: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src ${imageSources}; base-uri 'none'; frame-ancestors 'none'`;

/** The page of the API reference, which has no inline script. */
export const REFERENCE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'",
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** A picture that somebody opens on its own may contain active content. */
export const AVATAR_POLICY = "default-src 'none'; sandbox";
/** The operator's files may be SVG, with styles of their own. */
export const BRAND_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
