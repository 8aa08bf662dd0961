import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';

interface Locked {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The packages that are installed in the repository, by path. */
const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8'),
);

/** The path at which Node.js finds a package imported at `from`; undefined for an optional package that is not installed. */
const find = (name: string, from: string): string | undefined => {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  return from === '' ? undefined : find(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
};

/** The paths of these packages and of all that they need. */
export const neededBy = (names: readonly string[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  const visit = (place: string | undefined): void => {
    if (place === undefined || seen.has(place)) return;
    seen.add(place);
    const locked = packages[place] ?? {};
    const peers = Object.keys({ ...locked.peerDependencies }).filter(
      (name) => locked.peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...peers])
      visit(find(name, place));
  };
  for (const name of names) visit(find(name, ''));
  return seen;
};

/** Bytes of a folder on disk, as `du` counts them, without packages inside. */
export const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => {
      const stat = lstatSync(path);
      return sum + (stat.isDirectory() ? bytesOf(path) : stat.blocks * 512);
    }, lstatSync(folder).blocks * 512);
