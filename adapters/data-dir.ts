import { accessSync, chmodSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './config/config-error.ts';
import { hasCode } from './files/atomic-write.ts';

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

/** Failures that the choice of the data folder causes become a `ConfigError`; other errors stay as they are. */
const toConfigError = (error: unknown): unknown => {
  const code = String(Object(error).code);
  if (FULL.has(code)) return new ConfigError(['DATA_DIR: the disk it is on is full']);
  return NOT_WRITABLE.has(code)
    ? new ConfigError(['DATA_DIR: must be a folder that can be written and whose files can be read'])
    : error;
};

/** Undefined if there is no such file, also where a part of the path is a file and no folder. */
export const statIfThere = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
};

/**
 * Creates a folder and the missing ones above it, one by one: where the system answers ENOENT, as in /proc, Node.js's recursive
 * mkdir never ends.
 */
export const makeFolder = (folder: string, mode?: number): void => {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
    // The umask may have taken away bits of the owner.
    if (mode !== undefined) chmodSync(folder, mode);
  } catch (error) {
    // It exists already, or another process created it meanwhile.
    if (!statIfThere(folder)?.isDirectory()) throw error;
  }
};

const OTHERS = 0o077;
const STICKY = 0o1000;

/** Removes other users' access to a folder. False if the system refuses the change, or for a shared folder such as /tmp. */
const closeToOthers = (folder: string): boolean => {
  const { mode } = statSync(folder);
  if ((mode & OTHERS) === 0) return true;
  if ((mode & STICKY) !== 0) return false;
  try {
    chmodSync(folder, 0o700);
  } catch {
    return false;
  }
  // Some file systems accept the mode and ignore it.
  return (statSync(folder).mode & OTHERS) === 0;
};

/** Creates the data folder; returns whether only its owner has access. Throws `ConfigError` if the folder cannot be written. */
export const makeDataDir = (folder: string): boolean => {
  try {
    makeFolder(folder, 0o700);
    const isPrivate = closeToOthers(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return isPrivate;
  } catch (error) {
    throw toConfigError(error);
  }
};

/** Awaits work that writes to the data folder. Throws `ConfigError` if the folder prevents it. */
export const inDataDir = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw toConfigError(error);
  }
};
