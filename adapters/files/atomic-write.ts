import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whether an error has this code. In Jest errors of Node.js are no instances of the `Error` that modules see. */
export const hasCode = (error: unknown, code: string): boolean => Object(error).code === code;

/** The result of a call of the file system; undefined if it fails with one of these codes. */
export const unlessCode = async <T>(codes: readonly string[], call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (codes.some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
};

/** The result of a call of the file system; undefined if the file or folder does not exist. */
export const unlessAbsent = <T>(call: Promise<T>): Promise<T | undefined> => unlessCode(['ENOENT'], call);

/** Calls `use` with a complete, synced temporary file (0600) beside `path`, and deletes the file afterwards. */
export const withDraft = async <T>(
  path: string,
  content: string | Uint8Array,
  use: (draft: string) => Promise<T>,
): Promise<T> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    return await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Links the draft to `path`. Only one process succeeds; returns false if the name is taken. */
export const linkIfFree = async (draft: string, path: string): Promise<boolean> => {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/** Makes new names in the folder of `path` outlast a power cut. */
export const syncFolderOf = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
