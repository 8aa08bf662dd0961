import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linkIfFree, syncFolderOf, unlessAbsent, unlessCode, withDraft } from './atomic-write.ts';

/** Creates a file (0600), and its folder (0700) if missing. Returns false if the file exists, which is left unchanged. */
export const addSecretFile = async (path: string, text: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const added = await withDraft(path, text, (draft) => linkIfFree(draft, path));
  if (added) await syncFolderOf(path);
  return added;
};

/**
 * The text of the file without its last line break. A missing file is created with the text of `make`; if several processes
 * start together, one creates the file and all read the same text.
 */
export const readOrMakeSecret = async (path: string, make: () => string): Promise<string> => {
  const stored = await unlessAbsent(readFile(path, 'utf8'));
  if (stored === undefined) await addSecretFile(path, `${make()}\n`);
  return (stored ?? (await readFile(path, 'utf8'))).replace(/\r?\n$/, '');
};

// A change takes milliseconds: a claim of this age was left by a process that died.
const CLAIM_LASTS_MS = 10_000;
const CLAIM_RETRY_MS = 20;

/** Removes the files of an abandoned claim. Their names are random, so that no file of a later claim is removed by mistake. */
const removeAbandonedClaim = async (claim: string): Promise<void> => {
  const names = await unlessCode(['ENOENT', 'ENOTDIR'], readdir(claim));
  // The claims of version 0.1.0 are files.
  const files = names?.map((name) => join(claim, name)) ?? [claim];
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats === undefined || Date.now() - stats.mtimeMs <= CLAIM_LASTS_MS) continue;
    // Another process may have removed it, and have put a folder in the place of a file.
    await unlessCode(['ENOENT', 'EISDIR'], unlink(file));
  }
};

/**
 * Replaces the text `before`. Returns false if the file has another text, or if another process has the claim. The claim is a
 * folder with the new file in it: a process claims the change by renaming its own folder to the name that all use.
 */
const replaceOnce = async (path: string, before: string, after: string): Promise<boolean> => {
  const claim = `${path}.next`;
  const folder = await mkdtemp(`${path}.`);
  try {
    return await withDraft(join(folder, 'new'), after, async (draft) => {
      // The rename fails while a folder with a file in it, or a file of version 0.1.0, has the name.
      const claiming = rename(folder, claim).then(() => true);
      const hasClaim = await unlessCode(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'], claiming);
      if (!hasClaim) {
        await removeAbandonedClaim(claim);
        await pause(CLAIM_RETRY_MS);
        return false;
      }
      const newFile = join(claim, basename(draft));
      try {
        if ((await readFile(path, 'utf8')) !== before) return false;
        // The new file is absent if another process considered this claim abandoned and removed it.
        return (await unlessAbsent(rename(newFile, path).then(() => true))) === true;
      } finally {
        await rm(newFile, { force: true });
      }
    });
  } finally {
    // A claim of another process is not empty and stays; an empty folder is no claim.
    for (const own of [folder, claim]) await rmdir(own).catch(() => undefined);
  }
};

/**
 * Replaces the text of a secret file at once (readers see the old or the new, never a part) and returns the new text.
 * Parallel changes, by other processes too, happen one after the other and none is lost; `change` is called again
 * with the newer text if another change came first.
 */
export const changeSecretFile = async (file: string, change: (text: string) => string): Promise<string> => {
  // A symbolic link stays: the file that it names is replaced.
  const path = await realpath(file);
  for (;;) {
    const before = await readFile(path, 'utf8');
    const after = change(before);
    if (!(await replaceOnce(path, before, after))) continue;
    await syncFolderOf(path);
    return after;
  }
};
