import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { documentedLines, npmEnv } from './installed.ts';
import { linkPackages, readManifest } from './packages.ts';
import { runProgram } from './programs.ts';
import { writeBlocks } from './uses.ts';

const run = promisify(execFile);

/** The exit code and the standard error of a failed line. */
interface Failed {
  readonly code: number;
  readonly stderr: string;
}

describe('Packaging a clone that was never built', function () {
  // The suite builds the whole product.
  this.timeout(600_000);
  const folder = useTempFolder('suite');
  const clone = () => join(folder(), 'gatehouse');
  const app = () => join(folder(), 'app');

  before(function () {
    const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
    // Without the history of git it is unknown which files a clone has.
    if (status !== 0) this.skip();
    mkdirSync(clone());
    mkdirSync(app());
    // The package contains only these tests. To compile the others would take half of the build's time.
    const packedTests = /^test\/(?:contracts\/(?!transfer)|support\/(?:read-mail|recording-log|spellings)\.)/;
    const files = stdout
      .split('\0')
      .filter((file) => file !== '' && (!file.startsWith('test/') || packedTests.test(file)));
    execFileSync('cp', ['-a', '--parents', ...files, clone()], { cwd: root });
  });

  /** Runs a line in the clone without settings of npm about scripts. */
  const typed = (line: string) => run('bash', ['-c', line], { cwd: clone(), env: npmEnv() });
  const failing = (line: string): Promise<Failed> =>
    typed(line).then(
      () => expect.fail(`"${line}" made a package: ${packed()}`),
      (error: Failed) => error,
    );
  const packed = () => readdirSync(clone()).filter((name) => name.endsWith('.tgz'));

  it('makes no package before `npm ci`, and names the command to run', async () => {
    const { code, stderr } = await failing('npm pack');
    expect(code).to.equal(78);
    expect(stderr).to.match(/^Gatehouse is not built here: run "npm ci" and "npm run build" first\.$/m);
    expect(packed()).to.deep.equal([]);
  });

  // Decision 0062.
  it('makes no package if npm runs no scripts', async () => {
    const { code, stderr } = await failing('npm pack --ignore-scripts');
    expect(code).to.be.above(0);
    expect(stderr).to.match(/ENOENT.*\/npm-run-build-first\//);
    expect(packed()).to.deep.equal([]);
  });

  it('makes a package by the command in embedding.md, on which an app runs', async () => {
    const { line, pack } = documentedLines();
    expect(line).to.equal(`npm ci && ${pack}`);
    // `.ci/run` checks that the packages can be fetched.
    symlinkSync(join(root, 'node_modules'), join(clone(), 'node_modules'));
    await typed(pack);
    const [name = ''] = packed();
    expect(name).to.equal(`gatehouse-${readManifest(root).version}.tgz`);
    const packages = join(app(), 'node_modules');
    linkPackages(Object.keys(readManifest(root).dependencies ?? {}), packages);
    // The suite of the installed package installs such an archive by npm.
    execFileSync('tar', ['-xzf', join(clone(), name), '-C', packages]);
    renameSync(join(packages, 'package'), join(packages, 'gatehouse'));
    writeFileSync(join(app(), 'package.json'), '{"private":true,"type":"module"}');
    const [first] = writeBlocks(app(), 'docs/embedding.md');
    expect(await runProgram(first?.folder ?? '', [first?.file ?? ''])).to.equal(first?.shown);
  });
});

describe('The repository', () => {
  it('tracks no file that the build generates from the routes', function () {
    const generated = ['docs/openapi-*.json', 'servers/client/*.generated.ts'];
    const { status, stdout } = spawnSync('git', ['ls-files', ...generated], { cwd: root, encoding: 'utf8' });
    if (status !== 0) this.skip();
    expect(stdout).to.equal('');
  });
});

describe('The lock file', () => {
  it('has no package with an install script, except one whose script is turned off', () => {
    const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    );
    const names = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript);
    expect(names).to.deep.equal(['node_modules/@scarf/scarf']);
    expect(readManifest(root)).to.have.nested.property('scarfSettings.enabled', false);
  });
});
