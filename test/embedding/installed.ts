import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { copyPackages, linkPackages, linkPrograms, readManifest, wantedBy } from './packages.ts';

const run = promisify(execFile);

/** Milliseconds in which another suite packs the product, even on a slow disk. */
const PACKED_WITHIN = 300_000;

/** The environment for npm, without the settings of the npm that started the tests and without its servers. */
export const npmEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_cache$)|(?:MONGODB|REDIS)_URL$)/i.test(name),
    ),
  );

/** The time limit of a line in milliseconds. */
const TYPED_WITHIN = 240_000;

/**
 * Runs a line of a document. Settings of npm make it work offline, and choose the folder of a package.
 * If the line fails or times out, the error has the end of npm's log.
 */
export const type = async (line: string, cwd: string, settings: Readonly<Record<string, string>> = {}) => {
  const logs = mkdtempSync(join(tmpdir(), 'npm-logs-'));
  try {
    return await run('bash', ['-c', line], {
      cwd,
      timeout: TYPED_WITHIN,
      env: {
        ...npmEnv(),
        npm_config_ignore_scripts: 'true',
        npm_config_offline: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_logs_dir: logs,
        ...settings,
      },
    });
  } catch (error) {
    const log = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8').slice(-4_000));
    throw new Error([String(error), ...log].join('\n'), { cause: error });
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
};

/** The lines of `embedding.md` that pack the product and install the package. */
export const documentedLines = () => {
  const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
  const [, line] = /^```sh\n(.*)\n```\n\nIn your application: `npm install/m.exec(text) ?? [];
  const [, install] = /In your application: `(npm install [^`]+)`/.exec(text) ?? [];
  if (line === undefined || install === undefined)
    throw new Error('embedding.md has no commands to install the package.');
  return { line, pack: line.split(' && ').at(-1) ?? '', install };
};

/** The commands of an example's own page. */
export const exampleLines = (folder: string): readonly string[] => {
  const [, line = ''] = /^```sh\n(.*)\n```$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  return line.split(' && ');
};

/** The folder with the packages of users' own apps, see test/outside/. */
const outside = (): string => process.env.GATEHOUSE_TEST_OUTSIDE ?? '';

/** Whether the repository has all packages of an example. The suites in test/outside/ test the others. */
export const isAtHome = (example: string): boolean => {
  const there = { gatehouse: '', ...readManifest(root).devDependencies };
  return Object.keys(wantedBy(readManifest(join(root, 'docs/examples', example)))).every(
    (name) => name in there,
  );
};

/** The examples that npm installs. */
export const examples = readdirSync(join(root, 'docs/examples')).filter((name) =>
  existsSync(join(root, 'docs/examples', name, 'package.json')),
);

/** npm's description of a package that it has packed. */
interface Packed {
  /** Bytes of the package as it is sent. */
  readonly size: number;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** A folder that all files of a run share: it has the package, and its unpacked content in `package`. */
const shared = () => join(tmpdir(), 'gatehouse-packed');

/** Packs the product by the line of `embedding.md`, once a run, because npm needs three seconds of processor time. */
const pack = async (): Promise<Packed> => {
  const packedFile = join(shared(), 'packed.json');
  if (mkdirSync(shared(), { recursive: true }) !== undefined) {
    const where = { npm_config_json: 'true', npm_config_pack_destination: shared() };
    const { stdout } = await type(documentedLines().pack, root, where).catch((error: Error) => {
      writeFileSync(packedFile, '[]');
      throw error;
    });
    const [{ filename }] = JSON.parse(stdout) as [Packed];
    await run('tar', ['-xzf', filename], { cwd: shared() });
    writeFileSync(`${packedFile}.new`, stdout);
    renameSync(`${packedFile}.new`, packedFile);
  }
  await until(() => existsSync(packedFile), PACKED_WITHIN);
  const [packed] = JSON.parse(readFileSync(packedFile, 'utf8')) as Packed[];
  if (packed === undefined) throw new Error('Packing the product failed in another suite.');
  return packed;
};

/** Packs the product and unpacks the package into a new folder, as npm does. */
export const unpackTo = async (place: string): Promise<Packed> => {
  const packed = await pack();
  mkdirSync(dirname(place), { recursive: true });
  await run('cp', ['-a', '--link', join(shared(), 'package'), place]);
  return packed;
};

/**
 * Installs an example from existing packages in place of `npm install`, which needs ten seconds of processor time. The suite
 * of the installed package tests npm's installation.
 */
const installExample = async (folder: string): Promise<void> => {
  const wanted = Object.keys(wantedBy(readManifest(folder))).filter((name) => name !== 'gatehouse');
  const packages = join(folder, 'node_modules');
  const atHome = isAtHome(basename(folder));
  if (!atHome) copyPackages(wanted, outside(), packages);
  linkPackages([...Object.keys(readManifest(root).dependencies ?? {}), ...(atHome ? wanted : [])], packages);
  const [install = ''] = exampleLines(folder);
  if (install !== 'npm install') throw new Error(`${folder} is not installed by npm install: ${install}`);
  await unpackTo(join(packages, 'gatehouse'));
  linkPrograms(wanted, packages);
};

export interface Installed {
  /** A folder outside the repository in which the package is installed. */
  readonly folder: string;
  /** The paths of the files in the package. */
  readonly files: readonly string[];
  remove(): void;
}

/** Makes a folder outside the repository, prepares it, and installs these examples under their paths in it. */
const folderWith = async (names: readonly string[], prepare: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-installed-'));
  await prepare(folder);
  await Promise.all(
    names.map((name) => {
      const example = join(folder, 'docs/examples', name);
      cpSync(join(root, 'docs/examples', name), example, {
        recursive: true,
        filter: (path) => !path.slice(root.length).includes('node_modules'),
      });
      return installExample(example);
    }),
  );
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
};

/** Packs the product and installs it for each of these examples separately, from existing packages. */
export const installExamples = (names: readonly string[]): Promise<Omit<Installed, 'files'>> =>
  folderWith(names, async () => undefined);

/**
 * Packs the product and installs it by npm from existing packages in a folder outside the repository, with the packages that
 * its suites need and the examples of which the repository has all packages.
 */
export const installPacked = async (): Promise<Installed> => {
  let files: readonly string[] = [];
  const installed = await folderWith(examples.filter(isAtHome), async (folder) => {
    const packed = await pack();
    cpSync(join(shared(), packed.filename), join(folder, packed.filename));
    files = packed.files.map(({ path }) => path);
    const { dependencies = {}, devDependencies = {} } = readManifest(root);
    const beside = ['express', 'mocha', 'chai', 'fast-check', 'typescript', '@types/node'];
    const manifest = {
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(beside.map((name) => [name, devDependencies[name] ?? '*'])),
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    linkPackages([...Object.keys(dependencies), ...beside], join(folder, 'node_modules'));
    // npm unpacks the package into its cache twice: here it waits neither for the disk nor for other users of the cache.
    await type(documentedLines().install, folder, { npm_config_cache: join(shared(), 'npm-cache') });
  });
  return { ...installed, files };
};
