/** Policies of pages and pictures (Content Security Policy level 3). None lets anything come from another origin. */

/** Pages with scripts: scripts, styles and calls of this origin alone; no text ever becomes markup or code. */
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

/** Pages without a script, with one style sheet in them. */
export const scriptlessPolicy = (styleHash: string, pictures: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src ${pictures}; base-uri 'none'; frame-ancestors 'none'`;

/** The reference, whose page has no script in it. */
export const REFERENCE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'",
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** A picture that somebody opens on its own may contain active content. */
export const AVATAR_POLICY = "default-src 'none'; sandbox";
export const BRAND_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
