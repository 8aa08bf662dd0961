import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/root.ts';

const run = promisify(execFile);

/** npm as the tests were started: settings of that run, such as its folder, are not for this one. */
const npmEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_cache$)/i.test(name)));

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], { cwd, env: npmEnv() });

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export const readManifest = (folder: string): Manifest & { readonly version: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Puts packages of the repository where npm finds them already installed: nothing is fetched. */
const linkPackages = (names: readonly string[], into: string): void => {
  for (const name of names) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(into, name));
  }
};

export interface Installed {
  /** A folder that knows the package, and nothing of the repository. */
  readonly folder: string;
  /** What the package holds, by path. */
  readonly files: readonly string[];
  /** Bytes of the package as it is sent. */
  readonly size: number;
  remove(): void;
}

/**
 * Packs the product and installs it, with the packages that its examples and suites want, in a folder outside the
 * repository: by npm itself, from the packages that the repository has.
 */
export const installPacked = async (): Promise<Installed> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-installed-'));
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], root);
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; files: { path: string }[] }];
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const beside = ['express', 'mocha', 'chai', 'fast-check', 'typescript', '@types/node'];
  const manifest = {
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(beside.map((name) => [name, devDependencies[name] ?? '*'])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  linkPackages([...Object.keys(dependencies), ...beside], join(folder, 'node_modules'));
  await npm(['install', `./${packed.filename}`], folder);
  cpSync(join(root, 'docs/examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) => !path.slice(root.length).includes('node_modules'),
  });
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    size: packed.size,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
};
