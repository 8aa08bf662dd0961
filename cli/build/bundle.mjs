import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { dist, findEntries, joinedOf } from './sources.mjs';

const isOurs = (id) => id.startsWith('.') || isAbsolute(id);

/** Loads the output of tsc with its source maps, so that the map of the bundle leads to the TypeScript. */
const compiled = {
  name: 'compiled',
  resolveId: (id, importer) => (importer !== undefined && isOurs(id) ? join(dirname(importer), id) : null),
  load: (file) => ({ code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }),
};

/** Keeps `import.meta.url` of the original module, which looks for files beside itself. */
const keepPlaces = (entry) => ({
  name: 'keep-places',
  resolveImportMeta: (property, { moduleId }) => {
    if (property !== 'url' || moduleId === entry) return null;
    const place = relative(dirname(entry), moduleId).replaceAll('\\', '/');
    return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
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
  const { rollup } = await import('rollup');
  const written = [];
  for (const entry of findEntries().map((name) => join(dist, name))) {
    const bundle = await rollup({
      input: entry,
      external: (id) => !isOurs(id),
      plugins: [compiled, keepPlaces(entry)],
      treeshake: false,
      // The files beside the entry import from the entry.
      preserveEntrySignatures: 'allow-extension',
      onwarn: ({ message }) => {
        throw new Error(`The modules cannot be joined: ${message}`);
      },
    });
    const name = basename(joinedOf(entry), '.js');
    const { output } = await bundle.write({
      dir: dirname(entry),
      entryFileNames: `${name}.js`,
      chunkFileNames: `${name}-[name].js`,
      format: 'es',
      sourcemap: true,
    });
    await bundle.close();
    written.push(...output.map(({ fileName }) => relative(dist, join(dirname(entry), fileName))));
  }
  return written;
};
