import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A clone has the sources; an installed package does not. */
export const hasSources = existsSync(join(root, 'core'));

/** What to do when a part of the program is missing. */
export const howToGetIt = hasSources
  ? 'Gatehouse is not built here: run "npm ci" and "npm run build" first.'
  : `The package in ${root} is incomplete: install gatehouse again.`;
