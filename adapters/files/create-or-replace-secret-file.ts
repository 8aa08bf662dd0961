import { mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linkIfFree, syncFolderOf, unlessAbsent, withDraft } from './atomic-write.ts';

/**
 * Creates a file that only its owner can read (0600), and its folder (0700) if missing. Returns false if the file exists,
 * which is left unchanged.
 */
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

const removeAbandonedClaim = async (claim: string): Promise<void> => {
  const stats = await stat(claim).catch(() => undefined);
  if (stats !== undefined && Date.now() - stats.mtimeMs > CLAIM_LASTS_MS) await rm(claim, { force: true });
};

/**
 * Replaces the text of a secret file at once (readers see the old or the new, never a part) and gives the new text.
 * Parallel changes, by other processes too, happen one after the other and none is lost; `change` is called again
 * with the newer text if another change came first.
 */
export const changeSecretFile = async (file: string, change: (text: string) => string): Promise<string> => {
  const path = await realpath(file);
  // The claim is the new file itself under a second name, so its rename puts a complete file in place.
  const claim = `${path}.next`;
  for (;;) {
    const before = await readFile(path, 'utf8');
    const after = change(before);
    if (!(await withDraft(path, after, (draft) => linkIfFree(draft, claim)))) {
      await removeAbandonedClaim(claim);
      await pause(CLAIM_RETRY_MS);
    } else if ((await readFile(path, 'utf8')) === before) {
      await rename(claim, path);
      await syncFolderOf(path);
      return after;
    } else {
      await rm(claim, { force: true });
    }
  }
};
