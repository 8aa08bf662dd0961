import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';

/**
 * Reads the files of the folder that a setting names, without hidden files, which the system may put there. Throws
 * `ConfigError` if the folder cannot be listed, or if `read` fails for a file.
 */
export const readFiles = <T>(
  setting: string,
  folder: string,
  read: (path: string, name: string) => T,
): ReadonlyMap<string, T> => {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    return new Map(names.sort().map((name) => [name, read(join(folder, name), name)]));
  } catch {
    throw new ConfigError([`${setting} must be the path of a folder whose files can be read.`]);
  }
};

/** The number of the line at an index. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
