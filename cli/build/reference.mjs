import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

const FOLDER = join('servers', 'reference');
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

/**
 * Copies the files of the API reference's page out of their package, so that installations need not install it: it
 * depends on a package with an install script. Returns the files written, as paths in dist/.
 */
export const copyReference = () => {
  const manifest = require.resolve('swagger-ui-dist/package.json');
  mkdirSync(join(dist, FOLDER), { recursive: true });
  for (const file of FILES) copyFileSync(join(dirname(manifest), file), join(dist, FOLDER, file));
  writeFileSync(join(dist, FOLDER, 'VERSION'), JSON.parse(readFileSync(manifest, 'utf8')).version);
  return [...FILES, 'VERSION'].map((file) => join(FOLDER, file));
};
