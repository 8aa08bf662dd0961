import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

const FOLDER = join('servers', 'reference');
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

/**
 * Copies what the page of the API reference is made of out of its package, so that whoever installs the product need not
 * install that as well: it would bring a package along that runs a script. Gives what it wrote, as paths in dist/.
 */
export const copyReference = () => {
  const manifest = require.resolve('swagger-ui-dist/package.json');
  mkdirSync(join(dist, FOLDER), { recursive: true });
  for (const file of FILES) copyFileSync(join(dirname(manifest), file), join(dist, FOLDER, file));
  writeFileSync(join(dist, FOLDER, 'VERSION'), JSON.parse(readFileSync(manifest, 'utf8')).version);
  return [...FILES, 'VERSION'].map((file) => join(FOLDER, file));
};
