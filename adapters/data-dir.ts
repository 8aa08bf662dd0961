import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './config/config-error.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

const mustBeWritable = () => new ConfigError(['DATA_DIR: must be a folder that can be written']);

/** A failure that whoever chose the data folder can mend becomes a line of text; others stay as they are. */
const explained = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (FULL.has(code)) return new ConfigError(['DATA_DIR: the disk it is on is full']);
  return NOT_WRITABLE.has(code) ? mustBeWritable() : error;
};

// One by one: where the system refuses with ENOENT, as in /proc, the recursive way of Node.js never ends.
const makeFolder = (folder: string): void => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw mustBeWritable();
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/** The folder of everything a machine keeps, for its owner alone. Throws `ConfigError` where it cannot be written. */
export const makeDataDir = (folder: string): void => {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explained(error);
  }
};

/** Waits for what is made in the data folder. Throws `ConfigError` where the folder does not allow it. */
export const inDataDir = async <T>(making: Promise<T>): Promise<T> => {
  try {
    return await making;
  } catch (error) {
    throw explained(error);
  }
};
