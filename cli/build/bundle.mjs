import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { dist, findEntries, joinedOf } from './sources.mjs';

const isOurs = (id) => id.startsWith('.') || isAbsolute(id);

/** The output of tsc with its source maps, so that the map of the joined file leads to the TypeScript. */
const compiled = {
  name: 'compiled',
  resolveId: (id, importer) => (importer !== undefined && isOurs(id) ? join(dirname(importer), id) : null),
  load: (file) => ({ code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }),
};

/** `import.meta.url` keeps the address of the original module, which looks for files beside it. */
const keepPlaces = (entry) => ({
  name: 'keep-places',
  resolveImportMeta: (property, { moduleId }) => {
    if (property !== 'url' || moduleId === entry) return null;
    const place = relative(dirname(entry), moduleId).replaceAll('\\', '/');
    return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
  },
});

/**
 * Joins each entry with all modules of ours behind it into one file beside it: Node.js takes some 0.4 ms to find, read
 * and link a module, and a start has hundreds of them. Packages stay apart, and so do the few modules of threads and
 * child processes. The modules themselves stay in dist/ too, for tests and embedding apps.
 *
 * A module of ours that is imported with `import()`, since next to no start needs it, is joined to a file beside it
 * with what it alone needs; what it shares with the entry's file it takes from there, so that nothing is there twice.
 * Gives the files written, as paths from dist/.
 */
export const joinModules = async () => {
  const { rollup } = await import('rollup');
  const written = [];
  for (const entry of findEntries().map((name) => join(dist, name))) {
    const joined = await rollup({
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
    const { output } = await joined.write({
      dir: dirname(entry),
      entryFileNames: `${name}.js`,
      chunkFileNames: `${name}-[name].js`,
      format: 'es',
      sourcemap: true,
    });
    await joined.close();
    written.push(...output.map(({ fileName }) => relative(dist, join(dirname(entry), fileName))));
  }
  return written;
};
