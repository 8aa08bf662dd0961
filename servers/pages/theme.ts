import { createHash } from 'node:crypto';
import { themeCss } from '../http/page/style.ts';
import type { Front } from './files.ts';

export interface Theme {
  readonly path: string;
  readonly body: Buffer;
}

/** The style that gives the pages the colours of the brand. Its name has its digest in it, so it never changes. */
export const makeTheme = (front: Front, colour: string): Theme => {
  const body = Buffer.from(themeCss(colour));
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 8);
  return { path: `/${front}/theme.${digest}.css`, body };
};
