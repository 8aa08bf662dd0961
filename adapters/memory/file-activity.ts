import type { ActivityPosition, FileActivity } from '../../core/files/ports.ts';
import { type HeldFiles, liveFile, liveFilesOf } from './file-store.ts';
import { by, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

const ranked = by<ActivityPosition>(
  ({ accesses }) => -accesses,
  ({ accessedAt }) => -accessedAt,
  ({ id }) => id,
);

/** Read counts in memory, kept with the file records. */
export const makeMemoryFileActivity = (files: HeldFiles): FileActivity => {
  const marks = new Set<string>();

  return {
    add: async (accesses, mark) => {
      const counted = accesses.map((one) => ({
        file: liveFile(files, one.id),
        count: whole(one.count),
        lastAt: whole(one.lastAt),
      }));
      if (marks.has(text(mark))) return;
      marks.add(mark);
      for (const { file, count, lastAt } of counted) {
        if (file === undefined) continue;
        const accessedAt = Math.max(file.accessedAt, lastAt);
        files.set(file.id, kept({ ...file, accesses: file.accesses + count, accessedAt }));
      }
    },
    list: async (user, since, after, limit) => {
      const from = whole(since);
      const active = liveFilesOf(files, user).filter(
        ({ accesses, accessedAt }) => accesses > 0 && accessedAt >= from,
      );
      return page(active, ranked, after, limit).map(({ id, accesses, accessedAt, bytes }) => ({
        id,
        accesses,
        accessedAt,
        bytes,
      }));
    },
  };
};
