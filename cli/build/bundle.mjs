import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { dist, findEntries, joinedOf } from './sources.mjs';

/** What Rolldown itself brings for code that it rewrites, such as templates with a closing script tag. */
const HELPERS = '@oxc-project/runtime/';

const isBundled = (id) => id.startsWith('.') || isAbsolute(id) || id.startsWith(HELPERS);

/**
 * Loads the output of tsc with its source maps, so that the map of the bundle leads to the TypeScript. `import.meta.url`
 * stays that of the original module, which looks for files beside itself.
 */
const compiled = (entry) => ({
  name: 'compiled',
  load: (file) => {
    const place = relative(dirname(entry), file).replaceAll('\\', '/');
    const code = readFileSync(file, 'utf8');
    const address = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
    return {
      code: file === entry ? code : code.replaceAll('import.meta.url', address),
      map: readFileSync(`${file}.map`, 'utf8'),
    };
  },
});

/**
 * Bundles each entry with all its modules into one file beside it: Node.js takes some 0.4 ms to find, read and link a
 * module, and a start has hundreds of them. Packages and the few modules of threads and child processes are not bundled.
 * The modules themselves stay in dist/ too, for tests and embedding apps.
 *
 * A module that is imported with `import()`, since hardly any start needs it, becomes a second bundle with its own modules;
 * shared modules are imported from the entry's bundle, so that no module exists twice. Returns the written files, as paths
 * from dist/.
 */
export const joinModules = async () => {
  const { rolldown } = await import('rolldown');
  const written = [];
  for (const entry of findEntries().map((name) => join(dist, name))) {
    const bundle = await rolldown({
      input: entry,
      external: (id) => !isBundled(id),
      platform: 'node',
      plugins: [compiled(entry)],
      treeshake: false,
      // The second bundles import from the entry's, which gets further exports for them.
      preserveEntrySignatures: 'allow-extension',
      // On a busy machine the build takes longer, which says nothing about the modules.
      checks: { bundlerTimings: false },
      onLog: (level, { message }) => {
        if (level === 'warn') throw new Error(`The modules cannot be joined: ${message}`);
      },
    });
    const name = basename(joinedOf(entry), '.js');
    const { output } = await bundle.write({
      dir: dirname(entry),
      entryFileNames: `${name}.js`,
      chunkFileNames: `${name}-[name].js`,
      format: 'es',
      minify: false,
      sourcemap: true,
    });
    await bundle.close();
    written.push(...output.map(({ fileName }) => relative(dist, join(dirname(entry), fileName))));
  }
  return written;
};
