/**
 * Builds dist/ from the sources. `node cli/build/build.mjs` builds if dist/ is missing or outdated, `--force` always.
 * `--openapi` makes only the OpenAPI documents and the client's types, if they are outdated. Several processes may start at
 * once: one builds, the others wait and, without `--force`, find the work done.
 */
import '../node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasSources, howToGetIt } from '../not-built.mjs';
import { joinModules } from './bundle.mjs';
import { copyFromPackages } from './copies.mjs';
import { hasOpenapi, makeOpenapi } from './openapi.mjs';
import {
  copyAssets,
  dist,
  fingerprint,
  isFresh,
  keepNodeEnv,
  listSources,
  removeStaleOutputs,
  root,
  stampFile,
} from './sources.mjs';
import { buildWeb } from './web.mjs';

const require = createRequire(import.meta.url);

/** The source of a table that is empty until `validators.mjs` fills its output. */
const EMPTY_VALIDATORS = join('servers', 'http', 'input', 'built-validators.ts');
const VALIDATORS_SCRIPT = fileURLToPath(new URL('validators.mjs', import.meta.url));

const NOTHING_TO_BUILD = 'This package was installed without its sources: there is nothing to build.';

/** A failure that is printed in one line, with its exit code: 78 if this installation cannot build, 1 if the build fails. */
class BuildError extends Error {
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Builds dist/ unless it is up to date. In an installation for production, which has no compiler or no sources, dist/
 * is used as it is. Throws BuildError.
 */
export const ensureBuilt = async ({ force = false } = {}) => {
  const compiler = hasSources ? findCompiler() : undefined;
  if (compiler === undefined) {
    const isThere = existsSync(join(dist, 'servers'));
    if (!force && isThere) return;
    throw new BuildError(isThere && !hasSources ? NOTHING_TO_BUILD : howToGetIt, 78);
  }
  if (!force && isWhole()) return;
  await alone(async () => {
    if (force || !isWhole()) await build(compiler);
  });
};

const isWhole = () => isFresh(listSources()) && hasOpenapi();

const ensureOpenapi = async () => {
  if (!hasSources) throw new BuildError(NOTHING_TO_BUILD, 78);
  const compiler = findCompiler();
  if (compiler === undefined) throw new BuildError('The compiler is missing: run "npm ci" first.', 78);
  await alone(() => makeOpenapi(compiler, run));
};

const findCompiler = () => {
  try {
    const manifest = require.resolve('typescript/package.json');
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc);
  } catch {
    return undefined;
  }
};

/** Works while it alone holds an SQLite lock on a file, which the operating system releases however the holder dies. */
const alone = async (work) => {
  mkdirSync(dist, { recursive: true });
  const Database = require('libsql');
  const lock = new Database(join(dist, '.lock'));
  try {
    while (!take(lock)) await pause(50);
    await work();
  } finally {
    lock.close();
  }
};

const take = (lock) => {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (String(error.code).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
};

const build = async (compiler) => {
  console.error('Building dist/ …');
  await makeOpenapi(compiler, run);
  const sources = listSources();
  const madeOf = fingerprint(sources);
  rmSync(stampFile, { force: true });
  await run('tsc', compiler, '-p', root);
  // In a process of its own: this process may later load the same modules with the validators in place.
  if (sources.includes(EMPTY_VALIDATORS)) await run('validators.mjs', VALIDATORS_SCRIPT);
  writeVersion();
  const bundles = await joinModules();
  await copyAssets(sources);
  const web = await keepNodeEnv(buildWeb);
  removeStaleOutputs(sources, [...bundles, ...web, ...copyFromPackages()]);
  writeFileSync(stampFile, madeOf);
};

/** Writes the package's version into dist/adapters/version.js, in place of '0'. */
const writeVersion = () => {
  const file = join(dist, 'adapters', 'version.js');
  if (!existsSync(file)) return;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(file, readFileSync(file, 'utf8').replace("'0'", JSON.stringify(version)));
};

const run = (name, ...words) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new BuildError(`The build failed; what ${name} says stands above.`, 1)),
    );
  });

/** Prints a BuildError in one line and ends the process. Other errors are defects and are thrown. */
export const stopOn = (error) => {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
};

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const ensure = process.argv.includes('--openapi') ? ensureOpenapi : ensureBuilt;
  await ensure({ force: process.argv.includes('--force') }).catch(stopOn);
}
