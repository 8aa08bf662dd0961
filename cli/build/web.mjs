import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fronts } from './fronts.mjs';
import { dist, root } from './sources.mjs';

const SOURCES = join(root, 'servers', 'web');
/** What the compiler makes of them; gone after the build. */
const COMPILED = join(dist, '.web');
const FILES = join(dist, 'servers', 'pages', 'files');

/** Packages whose code is joined in: their licences stand beside the files. */
const JOINED = ['preact', '@preact/signals', '@preact/signals-core', 'openapi-fetch'];

/** Bytes in gzip, of what any page needs before its first paint and of all together. */
const BUDGETS = { first: 24 * 1024, all: 40 * 1024, styles: 8 * 1024 };

const isOurs = (id) => /^[./]/.test(id);

/** Modules of ours by their paths, those of packages where Node.js finds them. */
const resolver = {
  name: 'resolver',
  resolveId: (id, importer) =>
    isOurs(id) && importer !== undefined
      ? join(dirname(importer), id)
      : fileURLToPath(import.meta.resolve(id, pathToFileURL(importer ?? root).href)),
};

const smaller = {
  name: 'smaller',
  renderChunk: async (code) => {
    const { minify } = await import('terser');
    const made = await minify(code, { module: true, ecma: 2022, compress: { passes: 3, inline: 1 } });
    return made.code;
  },
};

const hashOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** The language of a module of texts, which two chunks of one name differ by. */
const languageOf = (id) => /\/text\/(en|pl)[/.]/.exec(id ?? '')?.[1];

const joinScripts = async (name, { main, shared }) => {
  const { rollup } = await import('rollup');
  const joined = await rollup({
    input: { [name]: join(COMPILED, 'servers/web', main) },
    plugins: [resolver, smaller],
    onwarn: ({ message, code }) => {
      if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(`The pages cannot be joined: ${message}`);
    },
  });
  const { output } = await joined.generate({
    format: 'es',
    generatedCode: 'es2015',
    freeze: false,
    externalLiveBindings: false,
    compact: true,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: ({ name: own, facadeModuleId }) => {
      const language = languageOf(facadeModuleId);
      return `${own}${language === undefined || language === own ? '' : `-${language}`}.[hash].js`;
    },
    manualChunks: (id) => (shared.test(id) ? name : undefined),
  });
  await joined.close();
  return output;
};

/** Styles without comments and without blanks that say nothing. */
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
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  }).join('\n---\n\n');

const loadCompiled = (name) => import(pathToFileURL(join(COMPILED, 'servers/web', name)).href);

/** The files that a module needs at once, its own first. */
const neededBy = (chunks, module) => {
  const id = join(COMPILED, 'servers/web', module);
  // A chunk from which others take modules, too, is nobody's facade.
  const isOf = ({ facadeModuleId, moduleIds }) => facadeModuleId === id || moduleIds.includes(id);
  const needed = new Set([chunks.find(isOf).fileName]);
  // What is added on the way is looked at, too.
  for (const name of needed)
    for (const one of chunks.find(({ fileName }) => fileName === name).imports) needed.add(one);
  return [...needed];
};

const LANGUAGES = ['en', 'pl'];

/** Something for each language. */
const inEach = (make) => Object.fromEntries(LANGUAGES.map((language) => [language, make(language)]));

const sizeOf = (text) => gzipSync(text, { level: 9 }).length;

/** What the pages weigh in bytes of gzip. `pages`: the scripts before the first paint of each, by its path and language. */
const weigh = ({ early, entry, styles, areas, paths }, files) => {
  const sum = (names) => names.reduce((total, name) => total + sizeOf(files.get(name)), 0);
  const pages = Object.fromEntries(
    Object.entries(paths).map(([path, area]) => [
      path,
      inEach((language) => sum([early, ...entry, ...areas[area][language]])),
    ]),
  );
  // Nobody loads the pages in two languages.
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js') && !/(?:^|-)en\./.test(name));
  const first = Math.max(...Object.values(pages).flatMap(Object.values));
  return { first, all: sum(scripts), styles: sizeOf(files.get(styles)), pages };
};

/** Throws when a browser would have more to load than the pages may weigh. */
const checkWeights = (front, weights) => {
  for (const [name, most] of Object.entries(BUDGETS))
    if (weights[name] > most)
      throw new Error(
        `The front ${front} weighs too much (${name}): ${weights[name]} of ${most} bytes. ${JSON.stringify(weights.pages)}`,
      );
};

/** Writes each file in the two forms that browsers take, so that no request compresses anything. */
const write = (folder, files) => {
  mkdirSync(folder, { recursive: true });
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return [...files].flatMap(([name, text]) => {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text, { params: quality }));
    return [`${name}.gz`, `${name}.br`];
  });
};

const makeManifest = async ({ main, texts, paths, said }, chunks, early, styles) => {
  const [en, pl, { areas, textsOf }] = await Promise.all(
    [`${texts}/en.js`, `${texts}/pl.js`, paths].map(loadCompiled),
  );
  const entry = neededBy(chunks, main);
  /** A part is a module of its own, beside the first one; its texts are some, too. */
  const partOf = (area) => (language) => {
    const own = textsOf[area].map((name) => `${texts}/${language}/${name}.js`);
    const modules = [`${texts}/${language}.js`, join(dirname(main), `${area}.js`), ...own];
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
    noScript: { en: en.kit.noScript, pl: pl.kit.noScript },
    saidWithoutScript: await said(loadCompiled),
  };
};

/** Builds one front into a folder of its own. */
const buildFront = async ([name, front], early) => {
  const chunks = await joinScripts(name, front);
  const styles = joinStyles(front);
  const [earlyName, stylesName] = [`early.${hashOf(early)}.js`, `${name}.${hashOf(styles)}.css`];
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

/** A plain script: the compiler takes every file for a module. */
const makeEarly = async () => {
  const { minify } = await import('terser');
  const text = readFileSync(join(COMPILED, 'servers/web/early.js'), 'utf8');
  const { code } = await minify(`{${text.replace(/^export \{\};?$/m, '')}}`);
  return code;
};

/**
 * Builds the fronts for browsers: scripts, styles and a `manifest.json` for each, which the server reads, and the
 * licences. Gives the files written, as paths from dist/.
 */
export const buildWeb = async (compiler, run) => {
  if (!existsSync(SOURCES)) return [];
  await run('tsc', compiler, '-p', SOURCES);
  try {
    rmSync(FILES, { recursive: true, force: true });
    const early = await makeEarly();
    const built = await Promise.all(Object.entries(fronts).map((one) => buildFront(one, early)));
    const licencesFile = join(FILES, 'LICENSES.txt');
    writeFileSync(licencesFile, licences());
    return [...built.flat(), licencesFile].map((file) => relative(dist, file));
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
  }
};
