import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, linkOnce, syncFolder, withDraft } from './draft.ts';

/**
 * Makes a file that only its owner can read (0600), in a folder that is made likewise (0700). False when there is
 * one by that name, which stays as it is.
 */
export const addSecretFile = async (path: string, text: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const added = await withDraft(path, text, (draft) => linkOnce(draft, path));
  if (added) await syncFolder(path);
  return added;
};

/**
 * The text of the file without its last line break. Where there is no file `make` gives the text; of any number of
 * processes that start together one makes it, and all get the same.
 */
export const readOrMakeSecret = async (path: string, make: () => string): Promise<string> => {
  const read = async () => (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  try {
    return await read();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  await addSecretFile(path, `${make()}\n`);
  return read();
};
