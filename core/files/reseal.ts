import { CoreError } from '../errors.ts';
import { pagesOf } from '../pages.ts';
import { dataKeyId } from './data-key.ts';
import { entryBytes, readEntry } from './file-record.ts';
import type { Kit } from './kit.ts';
import type { FileEntry } from './ports.ts';

export interface Resealed {
  /** Now under the current key. */
  readonly resealed: number;
  /** Cannot be opened, and stay as they were. */
  readonly failed: number;
}

/**
 * Wraps every data key of a record anew that is under an older master key, in pages. What was done stays done: broken
 * off, it is begun again and goes on with the rest. Throws `unavailable` while the KMS is down.
 */
export const makeReseal = ({ dataKeys, entries, kms, log, policy, sealed }: Kit) => {
  /** False when the record cannot be opened; true as well when somebody else has changed it. */
  const resealOne = async (one: FileEntry): Promise<boolean> => {
    const single = readEntry(one.entry);
    try {
      const dekEnc = await dataKeys.rewrap(single.dekEnc);
      const entry = JSON.stringify({ ...single, dekEnc });
      await sealed.replace(one, { entry, bytes: entryBytes(one.id, entry), keyId: dataKeyId(dekEnc, kms) });
      return true;
    } catch (error) {
      if (!(error instanceof CoreError) || error.kind !== 'invalid') throw error;
      log.warn('files.unopenable', { id: one.id });
      return false;
    }
  };

  return async (onProgress: (done: Resealed) => void): Promise<Resealed> => {
    const current = await kms.current();
    let [resealed, failed] = [0, 0];
    const pages = pagesOf<FileEntry>(policy.page, (after, limit) =>
      sealed.listNotUnder(current, after?.id ?? null, limit),
    );
    let began = false;
    try {
      for await (const page of pages) {
        began = true;
        // All of a page end before anything is thrown: what is written after the cache is outdated would stay unseen.
        const outcomes = await Promise.allSettled(page.map(resealOne));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') throw outcome.reason;
          if (outcome.value) resealed += 1;
          else failed += 1;
        }
        onProgress({ resealed, failed });
      }
    } finally {
      // No tombstones: the records live, and a sync must be able to write them at once.
      if (began) await entries.outdate();
    }
    return { resealed, failed };
  };
};
