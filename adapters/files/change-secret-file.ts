import { readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { linkOnce, syncFolder, withDraft } from './draft.ts';

// A change takes milliseconds: a claim this old was left by a process that died.
const CLAIM_LASTS = 10_000;
const CLAIM_RETRY = 20;

const dropLeftClaim = async (claim: string): Promise<void> => {
  const found = await stat(claim).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > CLAIM_LASTS) await rm(claim, { force: true });
};

/**
 * Replaces the text of a secret file at once (readers see the old or the new, never a part) and gives the new text.
 * Parallel changes, by other processes too, happen one after the other and none is lost; `change` is called again
 * with the newer text when another came first.
 */
export const changeSecretFile = async (file: string, change: (text: string) => string): Promise<string> => {
  const path = await realpath(file);
  // The claim is the new file itself under a second name, so whoever renames it puts something whole in place.
  const claim = `${path}.next`;
  for (;;) {
    const before = await readFile(path, 'utf8');
    const after = change(before);
    if (!(await withDraft(path, after, (draft) => linkOnce(draft, claim)))) {
      await dropLeftClaim(claim);
      await pause(CLAIM_RETRY);
    } else if ((await readFile(path, 'utf8')) === before) {
      await rename(claim, path);
      await syncFolder(path);
      return after;
    } else {
      await rm(claim, { force: true });
    }
  }
};
