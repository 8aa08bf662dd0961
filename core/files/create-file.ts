import { userNotFound } from './errors.ts';
import { acceptFile, type CreatedFile, type CreateFile, storedFile } from './file-record.ts';
import type { Kit } from './kit.ts';

/**
 * Records an uploaded file. Throws `invalid` (`invalid_request`), and `missing` (`user_not_found`) for a user whose
 * account was deleted.
 */
export const makeCreateFile = ({ clock, files, kms, newId, owners, policy }: Kit) => {
  const isGone = async (user: string) => (await owners.standing(user)) === 'deleted';

  return async (input: CreateFile): Promise<CreatedFile> => {
    acceptFile(input, policy);
    const { filenameEnc, size, user, mimeType, dekEnc } = input;
    if (await isGone(user)) throw userNotFound();
    const uploadedAt = clock.now();
    const id = newId();
    if (!(await files.add(storedFile({ ...input, id, uploadedAt }, kms)))) {
      throw new Error('A file with this new id exists already.');
    }
    // The deletion that came in between may have looked for files before this one was there.
    if (await isGone(user)) {
      await files.remove(id);
      throw userNotFound();
    }
    const uploadedDate = new Date(uploadedAt).toISOString();
    return { id, filenameEnc, size, user, mimeType, dekEnc, uploadedDate };
  };
};
