import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

/** What is copied out of packages, by the folder in dist/. */
const COPIES = {
  // The page of the API reference. Its package depends on one with an install script.
  'servers/reference': {
    from: 'swagger-ui-dist',
    files: ['LICENSE', 'NOTICE'],
    // Sent to browsers as they are stored.
    compressed: ['swagger-ui.css', 'swagger-ui-bundle.js'],
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
  Object.entries(COPIES).flatMap(([folder, { from, files, compressed = [], version }]) => {
    const manifest = require.resolve(`${from}/package.json`);
    mkdirSync(join(dist, folder), { recursive: true });
    const read = (file) => readFileSync(join(dirname(manifest), file));
    const write = (name, content) => {
      writeFileSync(join(dist, folder, name), content);
      return join(folder, name);
    };
    return [
      ...files.map((file) => write(basename(file), read(file))),
      ...compressed.map((file) => write(`${basename(file)}.gz`, gzipSync(read(file), { level: 9 }))),
      ...(version === undefined ? [] : [write(version, JSON.parse(read('package.json')).version)]),
    ];
  });
