import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist, fingerprint, listSources, root } from './sources.mjs';

const SCRIPT = fileURLToPath(new URL('write-openapi.mjs', import.meta.url));
const STAMP = join(dist, '.openapi');
const COMPILED = join(dist, '.routes');

/** The modules that make the documents and the types. The compiler finds the modules that they import. */
const MODULES = [
  'servers/accounts/app',
  'servers/console/app',
  'servers/metadata/app',
  'adapters/config',
  'cli/build/client-types',
];
const OPTIONS =
  '--ignoreConfig --noCheck --module nodenext --target es2023 --rewriteRelativeImportExtensions';

const MADE = ['accounts', 'metadata', 'console'].flatMap((name) => [
  `docs/openapi-${name}.json`,
  `servers/client/${name}.generated.ts`,
]);

const sourcesOfRoutes = () =>
  listSources().filter((file) => !file.startsWith('test') && !file.endsWith('.generated.ts'));

const isThere = (file) => existsSync(join(root, file));

/** Whether all documents and types exist; also true if there are no routes. */
export const hasOpenapi = () => !isThere(`${MODULES[0]}.ts`) || MADE.every(isThere);

/**
 * Makes the OpenAPI documents and the client's types from the routes, unless those of the current sources exist. The
 * types are a source of the build, so the routes are compiled before it, without type checks.
 */
export const makeOpenapi = async (compiler, run) => {
  const madeOf = fingerprint(sourcesOfRoutes());
  if (hasOpenapi() && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === madeOf) return;
  const files = MODULES.map((name) => `${name}.ts`).filter(isThere);
  // Without all of the modules there are no routes to make documents of.
  if (files.length < MODULES.length) return;
  try {
    await run('tsc', compiler, ...OPTIONS.split(' '), '--rootDir', '.', '--outDir', COMPILED, ...files);
    await run('write-openapi.mjs', SCRIPT, COMPILED);
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
  }
  writeFileSync(STAMP, madeOf);
};
