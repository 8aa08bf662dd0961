import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';

const lists = new Map<string, readonly string[]>();

/** The sorted paths of the TypeScript files below a folder, relative to the folder of package.json; cached. */
export const filesIn = (folder: string): readonly string[] => {
  const files =
    lists.get(folder) ??
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .toSorted();
  lists.set(folder, files);
  return files;
};

const texts = new Map<string, string>();

export const read = (path: string): string => {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  texts.set(path, text);
  return text;
};

/** The folder of a file. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The exports of a compiled module. */
export const load = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
  import(new URL(`../../${path.replace(/\.ts$/, '.js')}`, import.meta.url).href);
