import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fronts } from './fronts.mjs';
import { dist, root } from './sources.mjs';

const SOURCES = join(root, 'servers', 'web');
/** The compiled sources, which are removed after the build. */
const COMPILED = join(dist, '.web');
const FILES = join(dist, 'servers', 'pages', 'files');

/** Packages that are bundled: their licences are copied beside the files. */
const JOINED = ['preact', '@preact/signals', '@preact/signals-core', 'openapi-fetch'];

/** Limits in bytes of gzip: the scripts of any page before its first paint, all scripts, and the styles. */
const BUDGETS = { first: 24 * 1024, all: 48 * 1024, styles: 8 * 1024 };

const isOurs = (id) => /^[./]/.test(id);

/** Resolves own modules by path, and packages as Node.js does. */
const resolver = {
  name: 'resolver',
  resolveId: (id, importer) =>
    isOurs(id) && importer !== undefined
      ? join(dirname(importer), id)
      : fileURLToPath(import.meta.resolve(id, pathToFileURL(importer ?? root).href)),
};

const minifier = {
  name: 'minifier',
  renderChunk: async (code) => {
    const { minify } = await import('terser');
    const result = await minify(code, { module: true, ecma: 2022, compress: { passes: 3, inline: 1 } });
    return result.code;
  },
};

const hashOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** The language of a module of texts, which distinguishes chunks of the same name. */
const languageOf = (id) => /\/text\/(en|pl)[/.]/.exec(id ?? '')?.[1];

const joinScripts = async (name, { main, shared }) => {
  const { rollup } = await import('rollup');
  const bundle = await rollup({
    input: { [name]: join(COMPILED, 'servers/web', main) },
    plugins: [resolver, minifier],
    onwarn: ({ message, code }) => {
      if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(`The pages cannot be joined: ${message}`);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    generatedCode: 'es2015',
    freeze: false,
    externalLiveBindings: false,
    compact: true,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: ({ name: chunkName, facadeModuleId }) => {
      const language = languageOf(facadeModuleId);
      return `${chunkName}${language === undefined || language === chunkName ? '' : `-${language}`}.[hash].js`;
    },
    manualChunks: (id) => (shared.test(id) ? name : undefined),
  });
  await bundle.close();
  return output;
};

/** Removes comments and needless blanks from styles. */
const packStyles = (text) =>
  text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();

const joinStyles = ({ styles }) =>
  packStyles(styles.map((name) => readFileSync(join(SOURCES, 'styles', `${name}.css`), 'utf8')).join('\n'));

const licences = () =>
  JOINED.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  }).join('\n---\n\n');

const loadCompiled = (name) => import(pathToFileURL(join(COMPILED, 'servers/web', name)).href);

/** The files that a module needs at once, its own file first. */
const neededBy = (chunks, module) => {
  const id = join(COMPILED, 'servers/web', module);
  // A chunk with shared modules is no facade of any module.
  const isOf = ({ facadeModuleId, moduleIds }) => facadeModuleId === id || moduleIds.includes(id);
  const needed = new Set([chunks.find(isOf).fileName]);
  // The loop also visits the names that it adds.
  for (const name of needed)
    for (const imported of chunks.find(({ fileName }) => fileName === name).imports) needed.add(imported);
  return [...needed];
};

const LANGUAGES = ['en', 'pl'];

/** Makes a value for each language. */
const inEach = (make) => Object.fromEntries(LANGUAGES.map((language) => [language, make(language)]));

const sizeOf = (text) => gzipSync(text, { level: 9 }).length;

/** The weights in bytes of gzip. `pages`: the scripts of each page before its first paint, by path and language. */
const weigh = ({ early, entry, styles, areas, paths }, files) => {
  const sum = (names) => names.reduce((total, name) => total + sizeOf(files.get(name)), 0);
  const pages = Object.fromEntries(
    Object.entries(paths).map(([path, area]) => [
      path,
      inEach((language) => sum([early, ...entry, ...areas[area][language]])),
    ]),
  );
  // A visitor loads the pages in one language only.
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js') && !/(?:^|-)en\./.test(name));
  const first = Math.max(...Object.values(pages).flatMap(Object.values));
  return { first, all: sum(scripts), styles: sizeOf(files.get(styles)), pages };
};

/** Throws if the pages exceed a limit. */
const checkWeights = (front, weights) => {
  for (const [name, most] of Object.entries(BUDGETS))
    if (weights[name] > most)
      throw new Error(
        `The front ${front} weighs too much (${name}): ${weights[name]} of ${most} bytes. ${JSON.stringify(weights.pages)}`,
      );
};

/** Writes each file compressed in two forms, so that no request compresses anything. */
const write = (folder, files) => {
  mkdirSync(folder, { recursive: true });
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return [...files].flatMap(([name, text]) => {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text, { params: quality }));
    return [`${name}.gz`, `${name}.br`];
  });
};

const makeManifest = async ({ main, texts, paths, noscriptTexts }, chunks, early, styles) => {
  const [en, pl, { areas, textsOf }, english, polish] = await Promise.all(
    [`${texts}/en.js`, `${texts}/pl.js`, paths, 'text/en/plain.js', 'text/pl/plain.js'].map(loadCompiled),
  );
  const entry = neededBy(chunks, main);
  /** The files of an area: its module, which lies beside the main module, and the modules of its texts. */
  const partOf = (area) => (language) => {
    const areaTexts = textsOf[area].map((name) => `${texts}/${language}/${name}.js`);
    const modules = [`${texts}/${language}.js`, join(dirname(main), `${area}.js`), ...areaTexts];
    const needed = modules.flatMap((module) => neededBy(chunks, module));
    return [...new Set(needed)].filter((file) => !entry.includes(file));
  };
  return {
    entry,
    early,
    styles,
    areas: Object.fromEntries(Object.keys(textsOf).map((area) => [area, inEach(partOf(area))])),
    paths: areas,
    titles: { en: en.titles, pl: pl.titles },
    plain: { en: english.plain, pl: polish.plain },
    saidWithoutScript: await noscriptTexts(loadCompiled),
  };
};

/** Builds one front into its own folder. */
const buildFront = async ([name, front], early) => {
  const chunks = await joinScripts(name, front);
  const styles = joinStyles(front);
  const earlyName = `early.${hashOf(early)}.js`;
  const stylesName = `${name}.${hashOf(styles)}.css`;
  const files = new Map([
    ...chunks.map(({ fileName, code }) => [fileName, code]),
    [earlyName, early],
    [stylesName, styles],
  ]);
  const manifest = await makeManifest(front, chunks, earlyName, stylesName);
  const weights = weigh(manifest, files);
  checkWeights(name, weights);
  const folder = join(FILES, name);
  const written = write(folder, files);
  const manifestText = JSON.stringify({ ...manifest, files: [...files.keys()], weights });
  writeFileSync(join(folder, 'manifest.json'), manifestText);
  return [...written, 'manifest.json'].map((file) => join(folder, file));
};

/** Makes a plain script of the compiled module `early.js`. */
const makeEarly = async () => {
  const { minify } = await import('terser');
  const text = readFileSync(join(COMPILED, 'servers/web/early.js'), 'utf8');
  const { code } = await minify(`{${text.replace(/^export \{\};?$/m, '')}}`);
  return code;
};

/**
 * Builds the fronts for browsers: scripts, styles, the licences, and a `manifest.json` for each front, which the server
 * reads. Returns the written files, as paths from dist/.
 */
export const buildWeb = async (compiler, run) => {
  if (!existsSync(SOURCES)) return [];
  await run('tsc', compiler, '-p', SOURCES);
  try {
    rmSync(FILES, { recursive: true, force: true });
    const early = await makeEarly();
    const built = await Promise.all(Object.entries(fronts).map((front) => buildFront(front, early)));
    const licencesFile = join(FILES, 'LICENSES.txt');
    writeFileSync(licencesFile, licences());
    return [...built.flat(), licencesFile].map((file) => relative(dist, file));
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
  }
};
