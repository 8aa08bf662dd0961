import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fronts } from './fronts.mjs';

/** The folder that holds package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const dist = join(root, 'dist');

const FOLDERS = ['core', 'adapters', 'servers', 'cli', 'test'];
/** The entries of processes. The build joins each entry and its modules into a file beside it, see bundle.mjs. */
const ENTRIES = ['servers/run/start-and-end-services.js', 'cli/main.js'];
const SETTINGS = ['tsconfig.json', 'package.json'];
export const stampFile = join(dist, '.stamp');
const WEB_MANIFESTS = Object.keys(fronts).map((front) =>
  join('servers', 'pages', 'files', front, 'manifest.json'),
);

/** All files below a folder, as sorted paths from the folder, except names that begin with a dot. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** The sources of dist/: TypeScript is compiled, other files are copied. The scripts in cli/ run as they are. */
export const listSources = () =>
  FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    filesIn(join(root, folder))
      .filter((file) => !file.endsWith('.mjs'))
      .map((file) => join(folder, file)),
  );

/** Sources for browsers are built separately, see web.mjs. */
const isForBrowsers = (file) => file.startsWith(join('servers', 'web') + sep);

const isCompiled = (file) => file.endsWith('.ts');

/** The files in dist/ that a source becomes. The first one is the code. */
const outputsOf = (file) => {
  if (file.endsWith('.d.ts') || isForBrowsers(file)) return [];
  if (!isCompiled(file)) return [file];
  const stem = file.slice(0, -'.ts'.length);
  return [`${stem}.js`, `${stem}.js.map`, `${stem}.d.ts`];
};

/** Changes when a source is added, removed, edited or replaced by another version, newer or older. */
export const fingerprint = (sources) =>
  [...sources, ...SETTINGS]
    .map((file) => {
      const { size, mtimeMs } = statSync(join(root, file));
      return `${file} ${size} ${mtimeMs}`;
    })
    .join('\n');

/** The entries that exist, as paths from dist/. */
export const findEntries = () => ENTRIES.filter((entry) => existsSync(join(dist, entry)));

/** The bundle of an entry. */
export const joinedOf = (entry) => entry.replace(/\.js$/, '-joined.js');

/** Whether dist/ was built from exactly these sources and is complete. */
export const isFresh = (sources) => {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== fingerprint(sources)) return false;
  const hasPages = WEB_MANIFESTS.every((manifest) => existsSync(join(dist, manifest)));
  if (!hasPages && sources.some(isForBrowsers)) return false;
  if (!findEntries().every((entry) => existsSync(join(dist, joinedOf(entry))))) return false;
  return sources.every((file) => {
    const [code] = outputsOf(file);
    return code === undefined || existsSync(join(dist, code));
  });
};

/** Copies the sources that are not compiled. */
export const copyAssets = async (sources) => {
  for (const file of sources.filter((source) => !isCompiled(source) && !isForBrowsers(source))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    await copyFile(join(root, file), join(dist, file));
  }
};

/**
 * Removes the outputs of sources that no longer exist, so that they are neither run nor tested. `otherOutputs` lists the
 * further files of this build.
 */
export const removeStaleOutputs = (sources, otherOutputs) => {
  const outputs = new Set([...sources.flatMap(outputsOf), ...otherOutputs]);
  for (const file of filesIn(dist)) {
    if (outputs.has(file)) continue;
    rmSync(join(dist, file));
    removeEmptyFolders(dirname(join(dist, file)));
  }
};

const removeEmptyFolders = (folder) => {
  if (folder === dist || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmptyFolders(dirname(folder));
};

/** Runs work that sets NODE_ENV, as Vite does, and restores it: a start that builds runs in the same process. */
export const keepNodeEnv = async (work) => {
  const { NODE_ENV } = process.env;
  try {
    return await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
};
