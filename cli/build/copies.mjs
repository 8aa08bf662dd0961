import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { dist } from './sources.mjs';

const require = createRequire(import.meta.url);

/** The files that are copied from packages, by folder in dist/. */
const COPIES = {
  // The page of the API reference. Copied, since its package depends on one with an install script.
  'servers/reference': {
    packageName: 'swagger-ui-dist',
    files: ['LICENSE', 'NOTICE'],
    // Stored as they are sent to browsers.
    compressed: ['swagger-ui.css', 'swagger-ui-bundle.js'],
    versionFile: 'VERSION',
  },
  // One of many lists in the package. Sorting makes the compressed file a third smaller. Brotli, by default at its highest
  // quality, makes it a fifth smaller than the gzip of npm.
  'adapters/hashing/passwords': {
    packageName: '@zxcvbn-ts/language-common',
    files: ['LICENSE.txt'],
    sorted: ['src/passwords.json'],
  },
};

/** Copies files from packages, so that installations do not need the packages. Returns the files, as paths from dist/. */
export const copyFromPackages = () =>
  Object.entries(COPIES).flatMap(
    ([folder, { packageName, files, compressed = [], sorted = [], versionFile }]) => {
      const manifest = require.resolve(`${packageName}/package.json`);
      mkdirSync(join(dist, folder), { recursive: true });
      const read = (file) => readFileSync(join(dirname(manifest), file));
      const write = (name, content) => {
        writeFileSync(join(dist, folder, name), content);
        return join(folder, name);
      };
      return [
        ...files.map((file) => write(basename(file), read(file))),
        ...compressed.map((file) =>
          write(`${basename(file)}.gz`, gzipSync(read(file), { level: 9, memLevel: 9 })),
        ),
        ...sorted.map((file) =>
          write(
            `${basename(file, '.json')}.txt.br`,
            brotliCompressSync(`${JSON.parse(read(file)).sort().join('\n')}\n`),
          ),
        ),
        ...(versionFile === undefined ? [] : [write(versionFile, JSON.parse(read('package.json')).version)]),
      ];
    },
  );
