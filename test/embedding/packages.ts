import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../support/tree/root.ts';

export interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export const readManifest = (folder: string): Manifest & { readonly version: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** All packages that a manifest requires, with their ranges. */
export const wantedBy = ({ dependencies, devDependencies }: Manifest): Readonly<Record<string, string>> => ({
  ...dependencies,
  ...devDependencies,
});

/** Links packages of the repository, so that npm finds them installed and fetches nothing. */
export const linkPackages = (names: readonly string[], into: string): void => {
  for (const name of names) {
    const place = join(into, name);
    if (existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
};

/** Links the programs of packages as npm does. */
export const linkPrograms = (names: readonly string[], packages: string): void => {
  mkdirSync(join(packages, '.bin'));
  for (const name of names)
    for (const [program, file] of Object.entries(readManifest(join(packages, name)).bin ?? {}))
      symlinkSync(join('..', name, file), join(packages, '.bin', program));
};

/** Links the built product for an app in the folder, without packing it. */
export const linkProduct = (folder: string): void => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/gatehouse'));
};

type Lock = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** These packages and all that they need, from a folder with a lockfile. */
const needsOf = (names: readonly string[], folder: string): readonly string[] => {
  const packages: Lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const found = new Set<string>();
  const visit = (name: string) => {
    // A package of another system, or an optional peer that is not installed.
    if (found.has(name) || !existsSync(join(folder, 'node_modules', name))) return;
    found.add(name);
    const own = Object.entries(packages).filter(([path]) => `${path}/`.startsWith(`node_modules/${name}/`));
    for (const [, { dependencies, optionalDependencies, peerDependencies }] of own) {
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).forEach(visit);
    }
  };
  names.forEach(visit);
  return [...found];
};

/**
 * Copies packages of users' own apps as hard links: Next accepts no package outside the app's folder, which a symbolic link
 * would lead to.
 */
export const copyPackages = (names: readonly string[], from: string, into: string): void => {
  mkdirSync(into, { recursive: true });
  const needed = needsOf(names, from);
  const copy = (...how: string[]) =>
    execFileSync('cp', ['-a', '--parents', ...how, ...needed, into], {
      cwd: join(from, 'node_modules'),
      stdio: 'ignore',
    });
  try {
    copy('--link');
  } catch {
    // The cache is on another file system.
    copy('--force');
  }
};
