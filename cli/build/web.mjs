import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fronts, limits } from './fronts.mjs';
import { dist, root } from './sources.mjs';
import { viteConfig } from './vite.mjs';

const SOURCES = join(root, 'servers', 'web');
const FILES = join(dist, 'servers', 'pages', 'files');

/** Packages that are bundled: their licences are copied beside the files. */
const JOINED = ['preact', '@preact/signals', '@preact/signals-core'];

/** The language of a module of texts, which distinguishes chunks of the same name. */
const languageOf = (id) => /\/text\/(en|pl)[/.]/.exec(id ?? '')?.[1];

/** Whether the front's main module needs a module at once. */
const isInitial = (id, context) => {
  const { isEntry, importers } = context.getModuleInfo(id);
  return isEntry || importers.some((importer) => isInitial(importer, context));
};

/** Bundles a front. Returns its scripts and its style sheet. */
const bundleFront = async (name, { main, shared }) => {
  const { build } = await import('vite');
  const [{ output }] = await build({
    ...viteConfig,
    build: {
      ...viteConfig.build,
      write: false,
      // A library gets no helper that loads files ahead: the HTML of a page names them.
      lib: { entry: { [name]: join(SOURCES, main) }, formats: ['es'] },
      rolldownOptions: {
        // On a busy machine the build takes longer, which says nothing about the pages.
        checks: { bundlerTimings: false },
        onLog: (level, { message }) => {
          if (level === 'warn') throw new Error(`The pages cannot be bundled: ${message}`);
        },
        output: {
          entryFileNames: '[name].[hash].js',
          chunkFileNames: ({ name: chunkName, facadeModuleId }) => {
            const language = languageOf(facadeModuleId);
            return `${chunkName}${language === undefined || language === chunkName ? '' : `-${language}`}.[hash].js`;
          },
          assetFileNames: `${name}.[hash][extname]`,
          minify: { compress: true, mangle: true, codegen: true },
          comments: false,
          codeSplitting: {
            groups: [
              {
                debugName: name,
                name: (id, context) => (shared.test(id) || isInitial(id, context) ? name : null),
              },
            ],
          },
        },
      },
    },
  });
  const styles = output.find(({ fileName }) => fileName.endsWith('.css'));
  return {
    // The main module runs with the chunk that holds it: the entry, which only imports that chunk, is not needed.
    chunks: output.filter(({ moduleIds = [] }) => moduleIds.length > 0),
    styles: { name: styles.fileName, text: String(styles.source) },
  };
};

const licences = () =>
  JOINED.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  }).join('\n---\n\n');

/** Imports a module of the pages, such as their texts. */
const load = async (name) => {
  const { runnerImport } = await import('vite');
  return (await runnerImport(join(SOURCES, name), viteConfig)).module;
};

/** The files that a module needs at once, its own file first. */
const neededBy = (chunks, module) => {
  const id = join(SOURCES, module);
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
  // A visitor loads the pages in one language only: Polish is counted, English is left out.
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js') && !/(?:^|-)en\./.test(name));
  const first = Math.max(...Object.values(pages).flatMap(Object.values));
  return { first, all: sum(scripts), styles: sizeOf(files.get(styles)), pages };
};

/** Throws if the pages exceed a limit. */
const checkWeights = (front, weights) => {
  for (const [name, most] of Object.entries(limits))
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

/**
 * What the server must know of a front. `areas`: the files of each area, by language. `paths`: the area of each path. `plain`
 * and `saidWithoutScript`: texts of pages whose scripts are blocked.
 */
const makeManifest = async (front, chunks, early, styles) => {
  const { main, texts, paths: pathsModule, areas: areasFolder, noscriptTexts } = front;
  const [en, pl, { areas: areaOfPath, textsOf }, noscriptEn, noscriptPl] = await Promise.all(
    [`${texts}/en.ts`, `${texts}/pl.ts`, pathsModule, 'text/en/noscript.ts', 'text/pl/noscript.ts'].map(load),
  );
  const entry = neededBy(chunks, main);
  /** The files that an area needs besides the entry's: for its module, and for the modules of its texts. */
  const partOf = (area) => (language) => {
    const areaTexts = textsOf[area].map((name) => `${texts}/${language}/${name}.ts`);
    const modules = [`${texts}/${language}.ts`, join(areasFolder, `${area}.tsx`), ...areaTexts];
    const needed = modules.flatMap((module) => neededBy(chunks, module));
    return [...new Set(needed)].filter((file) => !entry.includes(file));
  };
  return {
    entry,
    early,
    styles,
    areas: Object.fromEntries(Object.keys(textsOf).map((area) => [area, inEach(partOf(area))])),
    paths: areaOfPath,
    titles: { en: en.titles, pl: pl.titles },
    plain: { en: noscriptEn.plain, pl: noscriptPl.plain },
    saidWithoutScript: await noscriptTexts(load),
  };
};

/** Builds one front into its own folder. */
const buildFront = async ([name, front], early) => {
  const { chunks, styles } = await bundleFront(name, front);
  const files = new Map([
    ...chunks.map(({ fileName, code }) => [fileName, code]),
    [early.name, early.code],
    [styles.name, styles.text],
  ]);
  const manifest = await makeManifest(front, chunks, early.name, styles.name);
  const weights = weigh(manifest, files);
  checkWeights(name, weights);
  const folder = join(FILES, name);
  const written = write(folder, files);
  const manifestText = JSON.stringify({ ...manifest, files: [...files.keys()], weights });
  writeFileSync(join(folder, 'manifest.json'), manifestText);
  return [...written, 'manifest.json'].map((file) => join(folder, file));
};

/** Makes a plain script of the module `before-first-paint.ts`, in a block, so that its names are not global. */
const makeEarly = async () => {
  const { minify, transformWithOxc } = await import('vite');
  const file = join(SOURCES, 'base', 'before-first-paint.ts');
  const { code: script } = await transformWithOxc(readFileSync(file, 'utf8'), file);
  const { code } = await minify(file, `{${script.replace(/^export \{\};?$/m, '')}}`);
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  return { name: `early.${hash}.js`, code };
};

/**
 * Builds the fronts for browsers: scripts, styles, the licences, and a `manifest.json` for each front, which the server
 * reads. Returns the written files, as paths from dist/.
 */
export const buildWeb = async () => {
  if (!existsSync(SOURCES)) return [];
  rmSync(FILES, { recursive: true, force: true });
  const early = await makeEarly();
  const built = await Promise.all(Object.entries(fronts).map((front) => buildFront(front, early)));
  const licencesFile = join(FILES, 'LICENSES.txt');
  writeFileSync(licencesFile, licences());
  return [...built.flat(), licencesFile].map((file) => relative(dist, file));
};
