import type { SealedFiles, SealedPosition } from '../../core/files/ports.ts';
import { type HeldFiles, liveFile } from './file-store.ts';
import { by, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

const byKey = by<SealedPosition>(
  ({ keyId }) => keyId,
  ({ id }) => id,
);

/** File records by their master key, in memory. */
export const makeMemorySealedFiles = (files: HeldFiles): SealedFiles => {
  const live = () => [...files.values()].filter(({ removed }) => !removed);

  return {
    countByKey: async () => {
      const counts = new Map<string | null, number>();
      for (const { keyId } of live()) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      return counts;
    },
    listNotUnder: async (keyId, after, limit) => {
      const left = text(keyId);
      const others = live().flatMap(({ id, entry, keyId }) =>
        keyId === null || keyId === left ? [] : [{ id, entry, keyId }],
      );
      return page(others, byKey, after, limit);
    },
    replace: async ({ id, entry }, next) => {
      const file = liveFile(files, id);
      const changes = { entry: text(next.entry), bytes: whole(next.bytes), keyId: next.keyId };
      if (file?.entry !== text(entry)) return false;
      files.set(id, kept({ ...file, ...changes }));
      return true;
    },
  };
};
