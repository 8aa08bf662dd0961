import { CoreError } from '../errors.ts';
import { pagesOf } from '../pages.ts';
import { dataKeyId } from './data-key.ts';
import { entryBytes, readEntry } from './file-record.ts';
import type { Kit } from './kit.ts';
import type { FileEntry, SealedPosition, StoredFile } from './ports.ts';

export interface Resealed {
  /** Now under the current key. */
  readonly resealed: number;
  /** Cannot be opened, and stay as they were. */
  readonly failed: number;
}

/** What is to stand in the place of an entry. */
interface Rewrapped extends Pick<StoredFile, 'entry' | 'bytes' | 'keyId'> {
  readonly before: FileEntry;
}

/** See decision 0051. */
export const makeReseal = ({ dataKeys, entries, kms, log, policy, sealed }: Kit) => {
  /** Undefined when the record cannot be opened. */
  const rewrap = async (before: FileEntry): Promise<Rewrapped | undefined> => {
    const single = readEntry(before.entry);
    try {
      const dekEnc = await dataKeys.rewrap(single.dekEnc);
      const entry = JSON.stringify({ ...single, dekEnc });
      return { before, entry, bytes: entryBytes(before.id, entry), keyId: dataKeyId(dekEnc, kms) };
    } catch (error) {
      if (!(error instanceof CoreError) || error.kind !== 'invalid') throw error;
      log.warn('files.unopenable', { id: before.id });
      return undefined;
    }
  };

  /** Writes what was wrapped anew; somebody else may have changed a record, or removed it. */
  const replaceAll = async (rewrapped: readonly Rewrapped[]): Promise<void> => {
    if (rewrapped.length === 0) return;
    let outcomes: readonly PromiseSettledResult<boolean>[] = [];
    await entries.change(
      rewrapped.map(({ before }) => before.id),
      async () => {
        outcomes = await Promise.allSettled(
          rewrapped.map(({ before, ...next }) => sealed.replace(before, next)),
        );
        const isDone = (place: number) => {
          const outcome = outcomes[place];
          return outcome?.status === 'fulfilled' && outcome.value;
        };
        return rewrapped
          .filter((_, place) => isDone(place))
          .map(({ before, entry }) => ({ id: before.id, entry }));
      },
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };

  return async (onProgress: (done: Resealed) => void): Promise<Resealed> => {
    const current = await kms.current();
    let [resealed, failed] = [0, 0];
    const pages = pagesOf<FileEntry & SealedPosition>(policy.page, (after, limit) =>
      sealed.listNotUnder(current, after, limit),
    );
    for await (const page of pages) {
      // Before the cache is told: a key service may take longer than a tombstone lives.
      const rewrapped = (await Promise.all(page.map(rewrap))).filter((one) => one !== undefined);
      await replaceAll(rewrapped);
      resealed += rewrapped.length;
      failed += page.length - rewrapped.length;
      onProgress({ resealed, failed });
    }
    return { resealed, failed };
  };
};
