import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/tree/root.ts';

const run = promisify(execFile);

/** npm as the tests were started: settings of that run, such as its folder, are not for this one, nor are its servers. */
const npmEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_cache$)|(?:MONGODB|REDIS)_URL$)/i.test(name),
    ),
  );

/** Runs a line as a document has it; that nothing is fetched and where it leaves the package is told by settings of npm's own. */
export const type = (line: string, cwd: string, settings: Readonly<Record<string, string>> = {}) =>
  run('bash', ['-c', line], {
    cwd,
    env: {
      ...npmEnv(),
      npm_config_ignore_scripts: 'true',
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      ...settings,
    },
  });

/** How `embedding.md` packs the product, and how it installs that. */
const shown = () => {
  const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
  const [, pack] = /^```sh\n(.*)\n```\n\nIn your application: `npm install/m.exec(text) ?? [];
  const [, install] = /In your application: `(npm install [^`]+)`/.exec(text) ?? [];
  if (pack === undefined || install === undefined)
    throw new Error('embedding.md shows no way to install it.');
  return { pack, install };
};

export interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
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

/** The commands that an example's own page shows. */
export const exampleLines = (folder: string): readonly string[] => {
  const [, line = ''] = /^```sh\n(.*)\n```$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  return line.split(' && ');
};

/** Installs an example as its page says, from packages that the repository has. */
const installExample = async (folder: string): Promise<void> => {
  const { dependencies = {} } = readManifest(root);
  const wanted = readManifest(folder);
  const own = Object.keys({ ...wanted.dependencies, ...wanted.devDependencies });
  const names = [...Object.keys(dependencies), ...own].filter((name) => name !== 'gatehouse');
  linkPackages([...new Set(names)], join(folder, 'node_modules'));
  const [install = ''] = exampleLines(folder);
  await type(install, folder);
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
  const { pack, install } = shown();
  const { stdout } = await type(pack, root, { npm_config_json: 'true', npm_config_pack_destination: folder });
  const [packed] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const beside = ['express', 'mocha', 'chai', 'fast-check', 'typescript', '@types/node'];
  const manifest = {
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(beside.map((name) => [name, devDependencies[name] ?? '*'])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  linkPackages([...Object.keys(dependencies), ...beside], join(folder, 'node_modules'));
  await type(install, folder);
  cpSync(join(root, 'docs/examples'), join(folder, 'docs/examples'), {
    recursive: true,
    filter: (path) => !path.slice(root.length).includes('node_modules'),
  });
  const examples = join(folder, 'docs/examples');
  await Promise.all(readdirSync(examples).map((name) => installExample(join(examples, name))));
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    size: packed.size,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
};
