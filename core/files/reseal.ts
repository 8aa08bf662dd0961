import { isUnopenable } from '../errors.ts';
import { pagesOf, partsOf } from '../pagination.ts';
import { dataKeyId } from './data-key.ts';
import type { Deps } from './deps.ts';
import { entryBytes, readEntry } from './file-record.ts';
import type { FileEntry, SealedPosition, StoredFile } from './ports.ts';

export interface ResealResult {
  /** Records whose keys were wrapped anew, even if a record was removed before its new entry was written. */
  readonly resealed: number;
  /** Records that cannot be opened and stay unchanged. */
  readonly failed: number;
}

interface Replacement extends Pick<StoredFile, 'entry' | 'bytes' | 'keyId'> {
  readonly before: FileEntry;
}

/** Wraps anew every data key that a master key other than the current one wrapped. See decision 0039. */
export const makeReseal = ({ dataKeys, entries, kms, log, policy, sealed }: Deps) => {
  /** Undefined if the record cannot be opened. */
  const rewrap = async (before: FileEntry): Promise<Replacement | undefined> => {
    const file = readEntry(before.entry);
    try {
      const dekEnc = await dataKeys.rewrap(file.dekEnc);
      const entry = JSON.stringify({ ...file, dekEnc });
      return { before, entry, bytes: entryBytes(before.id, entry), keyId: dataKeyId(dekEnc, kms) };
    } catch (error) {
      if (!isUnopenable(error)) throw error;
      log.warn('files.unopenable', { id: before.id, keyId: dataKeyId(file.dekEnc, kms) ?? 'unknown' });
      return undefined;
    }
  };

  /** Writes the new entries, unless another process changed or removed the record. */
  const replaceAll = async (rewrapped: readonly Replacement[]): Promise<void> => {
    if (rewrapped.length === 0) return;
    // The first failure is thrown at the end, since the callback of `entries.change` must not throw.
    const failures: unknown[] = [];
    const replace = async ({ before, ...next }: Replacement): Promise<readonly FileEntry[]> => {
      try {
        return (await sealed.replace(before, next)) ? [{ id: before.id, entry: next.entry }] : [];
      } catch (error) {
        failures.push(error);
        return [];
      }
    };
    await entries.change(
      rewrapped.map(({ before }) => before.id),
      async () => (await Promise.all(rewrapped.map(replace))).flat(),
    );
    if (failures.length > 0) throw failures[0];
  };

  return async (onProgress: (done: ResealResult) => void): Promise<ResealResult> => {
    const current = await kms.current();
    let resealed = 0;
    let failed = 0;
    const pages = pagesOf<FileEntry & SealedPosition>(policy.page, (after, limit) =>
      sealed.listNotUnder(current, after, limit),
    );
    for await (const page of pages) {
      // The keys are wrapped before `entries.change`, which keeps the old entries out of the cache for a limited time only: a key
      // service may take longer.
      const rewrapped: Replacement[] = [];
      for (const part of partsOf(page, policy.rewrapsAtOnce))
        rewrapped.push(...(await Promise.all(part.map(rewrap))).filter((record) => record !== undefined));
      await replaceAll(rewrapped);
      resealed += rewrapped.length;
      failed += page.length - rewrapped.length;
      onProgress({ resealed, failed });
    }
    return { resealed, failed };
  };
};
