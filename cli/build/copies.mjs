import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

/** What is copied out of packages, by the folder in dist/. */
const COPIES = {
  // The page of the API reference. Its package depends on one with an install script.
  'servers/reference': {
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'],
    version: 'VERSION',
  },
  // One of many lists of its package.
  'adapters/hashing/passwords': {
    from: '@zxcvbn-ts/language-common',
    files: ['src/passwords.json', 'LICENSE.txt'],
  },
};

/**
 * Copies files out of packages that installations need not have. Returns the files written, as paths in dist/.
 */
export const copyFromPackages = () =>
  Object.entries(COPIES).flatMap(([folder, { from, files, version }]) => {
    const manifest = require.resolve(`${from}/package.json`);
    const into = join(dist, folder);
    mkdirSync(into, { recursive: true });
    for (const file of files) copyFileSync(join(dirname(manifest), file), join(into, basename(file)));
    if (version !== undefined)
      writeFileSync(join(into, version), JSON.parse(readFileSync(manifest, 'utf8')).version);
    return [...files, ...(version === undefined ? [] : [version])].map((file) =>
      join(folder, basename(file)),
    );
  });
