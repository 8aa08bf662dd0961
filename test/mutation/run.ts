/**
 * `npm run mutate -- FOLDER …`: changes the code of these folders, such as `core/accounts/sessions`, in one place after
 * another, runs the tests that reach the place, and lists the changes that none of them notices. The last table has for
 * each file the part that was noticed. `--tests FOLDER` says whose tests are run, by default those of the folder's first
 * part: `test/core`. The work is StrykerJS's (https://stryker-mutator.io), which is installed into the tests' cache at first.
 *
 * Changes of what is computed when a module is loaded are left out, since a loaded module cannot be loaded again.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingNames } from '../../adapters/config.ts';
import { cacheFolder } from '../support/cache-folder.ts';
import { usesOutsideProgram } from '../support/runner/outside-programs.ts';
import { root } from '../support/tree/root.ts';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true } },
});
const unknown = folders.filter((folder) => !existsSync(join(root, 'dist', folder)));
if (folders.length === 0 || unknown.length > 0) {
  console.error(
    `Usage: npm run mutate -- FOLDER … [--tests FOLDER]${unknown.map((name) => `\nThere is no ${name}.`).join('')}`,
  );
  process.exit(2);
}

const lock = readFileSync(join(root, 'test/mutation/package-lock.json'));
const tools = join(cacheFolder(), `mutation-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
if (!existsSync(join(tools, 'node_modules/.package-lock.json'))) {
  mkdirSync(tools, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'test/mutation', file), join(tools, file));
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', tools], { stdio: 'inherit' });
}
const installed = (file: string): string => join(tools, 'node_modules/@stryker-mutator', file);

const testFolders = values.tests ?? [
  ...new Set(
    folders
      .map((folder) => (folder.endsWith('.js') ? dirname(folder) : folder))
      .map((folder) => join('test', folder.startsWith('servers/') ? folder : (folder.split('/')[0] ?? ''))),
  ),
];
const tests = testFolders
  .flatMap((folder) =>
    readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join('dist', folder, file),
    ),
  )
  // Those of the build need the sources of the whole tree beside them.
  .filter((file) => file.endsWith('.test.js') && !/\.(?:system|alone)\.|\/cli\/build\//.test(file))
  .filter((file) => !usesOutsideProgram(join(root, file)));

const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-mutation-'));
const report = join(root, 'dist/test/mutation.json');
const configuration = join(temporary, 'stryker.json');
const options = {
  testRunner: 'mocha',
  plugins: [installed('mocha-runner/dist/src/index.js')],
  mutate: [
    ...folders.map((folder) => (folder.endsWith('.js') ? `dist/${folder}` : `dist/${folder}/**/*.js`)),
    // Bundles of the same modules.
    '!dist/**/*-joined*.js',
  ],
  mochaOptions: { spec: tests, 'no-config': true },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: report },
  tempDirName: join(temporary, 'sandboxes'),
  ignorePatterns: ['**', '!package.json', '!dist/**', '!docs/**', '!core/**', '!servers/**', '!cli/**'],
  timeoutMS: 5_000,
};
writeFileSync(configuration, JSON.stringify(options));

/** The caller's environment without settings of the product, as in a run of the tests. */
const env: NodeJS.ProcessEnv = { ...process.env, ROUNDS: '2', TMPDIR: temporary };
for (const name of settingNames) {
  delete env[name];
  delete env[`${name}_FILE`];
}
env.SCRYPT = 'ln=8,r=8,p=1';
const { status } = spawnSync(process.execPath, [installed('core/bin/stryker.js'), 'run', configuration], {
  cwd: root,
  env,
  stdio: 'inherit',
});
rmSync(temporary, { recursive: true, force: true });
console.log(`All changes: ${report}`);
process.exitCode = status ?? 1;
