import { type IdentifiedFile, storedFile } from './file-record.ts';
import type { Kit } from './kit.ts';

/** The outcome for a record: `gone` if its user's account was deleted. */
export type Addition = 'added' | 'taken' | 'gone';

/** Adds a record. If the user's account is deleted, even while the record is added, nothing of it stays. */
export const makeAddFile = ({ entries, files, kms, owners }: Kit) => {
  const isGone = async (user: string) => (await owners.standing(user)) === 'deleted';

  return async (file: IdentifiedFile): Promise<Addition> => {
    if (await isGone(file.user)) return 'gone';
    if (!(await files.add(storedFile(file, kms)))) return 'taken';
    // The deletion that came in between may have looked for files before this one was there.
    if (!(await isGone(file.user))) return 'added';
    if (await files.remove(file.id)) await entries.remove([file.id]);
    return 'gone';
  };
};
