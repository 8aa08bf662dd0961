import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config-error.ts';

/**
 * The file that this code runs from; empty if unknown. It is read from a stack trace, since some bundlers put the address of
 * the source file into `import.meta.url`.
 */
const runningFile = (): string => {
  // With `--frozen-intrinsics` the trace cannot be read as objects.
  if (Object.isFrozen(Error)) return '';
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_error, [site]) => site?.getFileName() ?? '';
    const file = String(new Error().stack);
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
};

/**
 * Where this module lies in dist/. `import.meta.url` ends with it even in the entries that our own build joins from modules:
 * the build keeps for each module the value that it would have as a file of its own (`cli/build/bundle.mjs`).
 */
const PLACE = '/adapters/compose/require-unbundled.js';

/** Whether a file lies in the same dist/ as this module: the file of this module, or an entry that our own build joined. */
const isBeside = (file: string): boolean => {
  // Undefined in a bundle of CommonJS.
  const here: string | undefined = import.meta.url;
  if (!here?.endsWith(PLACE)) return false;
  const dist = fileURLToPath(here.slice(0, -PLACE.length));
  return file.startsWith(dist);
};

/**
 * Throws `ConfigError` if an app's build has bundled this code, away from its threads, processes and files (decision 0062), or
 * if Yarn keeps it in an archive, which hashing processes cannot read. Yarn's file handles lack `sync`, too.
 */
export const requireUnbundled = (): void => {
  if (process.versions.pnp !== undefined) {
    throw new ConfigError([
      "Yarn's Plug'n'Play keeps packages in archives, but gatehouse starts child processes from its files. " +
        'Set nodeLinker: node-modules in .yarnrc.yml.',
    ]);
  }
  const file = runningFile();
  if (file === '' || isBeside(file)) return;
  throw new ConfigError([
    `The package gatehouse was bundled into ${file}, but its threads, child processes and files are in the package. ` +
      "Mark it as external: esbuild --external:gatehouse; Next.js serverExternalPackages: ['gatehouse']; " +
      "Vite ssr.external: ['gatehouse']. It must be installed where the bundle runs.",
  ]);
};
