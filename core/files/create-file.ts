import { isoTime } from '../iso-times.ts';
import type { Deps } from './deps.ts';
import { userNotFound } from './errors.ts';
import {
  acceptFile,
  type CreateFileInput,
  type CreateFileResult,
  type IdentifiedFile,
  storedFile,
} from './file-record.ts';

/** `taken`: the id belongs to another record. `gone`: the user's account was deleted. */
export type Addition = 'added' | 'taken' | 'gone';

/** Adds a record. If the user's account is deleted, even meanwhile, the record does not stay. */
export const makeAddFile = ({ entries, files, kms, owners }: Deps) => {
  const isGone = async (user: string) => (await owners.standing(user)) === 'deleted';

  return async (file: IdentifiedFile): Promise<Addition> => {
    if (await isGone(file.user)) return 'gone';
    if (!(await files.add(storedFile(file, kms)))) return 'taken';
    // A concurrent deletion of the account may have listed the files before this record was added.
    if (!(await isGone(file.user))) return 'added';
    if (await files.remove(file.id)) await entries.remove([file.id]);
    return 'gone';
  };
};

export const makeCreateFile = (deps: Deps) => {
  const { clock, newId, policy } = deps;
  const addFile = makeAddFile(deps);

  return async (input: CreateFileInput): Promise<CreateFileResult> => {
    acceptFile(input, policy);
    const { filenameEnc, size, user, mimeType, dekEnc } = input;
    const uploadedAt = clock.now();
    const id = newId();
    const addition = await addFile({ ...input, id, uploadedAt });
    if (addition === 'gone') throw userNotFound();
    if (addition === 'taken') throw new Error('A file with this new id exists already.');
    const uploadedDate = isoTime(uploadedAt);
    return { id, filenameEnc, size, user, mimeType, dekEnc, uploadedDate };
  };
};
