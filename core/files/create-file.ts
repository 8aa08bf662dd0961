import { makeAddFile } from './add-file.ts';
import { userNotFound } from './errors.ts';
import { acceptFile, type CreatedFile, type CreateFile } from './file-record.ts';
import type { Kit } from './kit.ts';

export const makeCreateFile = (kit: Kit) => {
  const { clock, newId, policy } = kit;
  const addFile = makeAddFile(kit);

  return async (input: CreateFile): Promise<CreatedFile> => {
    acceptFile(input, policy);
    const { filenameEnc, size, user, mimeType, dekEnc } = input;
    const uploadedAt = clock.now();
    const id = newId();
    const addition = await addFile({ ...input, id, uploadedAt });
    if (addition === 'gone') throw userNotFound();
    if (addition === 'taken') throw new Error('A file with this new id exists already.');
    const uploadedDate = new Date(uploadedAt).toISOString();
    return { id, filenameEnc, size, user, mimeType, dekEnc, uploadedDate };
  };
};
