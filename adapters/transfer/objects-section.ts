import type { ObjectStore } from '../../core/accounts/ports.ts';
import type { Placed, SectionOf, TransferredObject } from './sections.ts';

/** Bytes after which a page ends: memory must not hold all objects at once. */
const PAGE_BYTES = 4_194_304;

/** The complete objects of any store as a section. */
export const objectsSection = (objects: ObjectStore): SectionOf<TransferredObject> => {
  // The paths are listed once. Later changes do not matter: an export fails if the store is used meanwhile.
  let listing: Promise<readonly string[]> | undefined;

  const listPaths = async (): Promise<readonly string[]> => {
    const objectPaths: string[] = [];
    for await (const { path } of objects.list()) if (!isDraft(path)) objectPaths.push(path);
    return objectPaths.sort();
  };
  const paths = (): Promise<readonly string[]> => {
    listing ??= listPaths();
    return listing;
  };

  return {
    count: async () => (await paths()).length,
    read: async (after, limit) => {
      const all = await paths();
      const placed: Placed<TransferredObject>[] = [];
      let length = 0;
      const start = after === null ? 0 : firstAfter(all, after);
      for (let index = start; index < all.length; index += 1) {
        if (placed.length === limit || length > PAGE_BYTES) break;
        const path = String(all[index]);
        const bytes = await objects.find(path);
        if (bytes === undefined) continue;
        length += bytes.length;
        placed.push({ place: path, record: { path, bytes: Buffer.from(bytes).toString('base64') } });
      }
      return placed;
    },
    write: async (records) => {
      for (const { path, bytes } of records) await put(objects, path, Buffer.from(bytes, 'base64'));
    },
  };
};

/** Whether an object is incomplete: a store in a folder first writes it under a name with this ending. */
const isDraft = (path: string): boolean => path.endsWith('.tmp');

/** Stores an object unless it exists. Replaces an unreadable one that an earlier attempt left at its path. */
const put = async (objects: ObjectStore, path: string, bytes: Uint8Array): Promise<void> => {
  if ((await objects.put(path, bytes)) || (await objects.find(path)) !== undefined) return;
  await objects.remove(path);
  await objects.put(path, bytes);
};

/** The index of the first greater text in a sorted list. */
const firstAfter = (all: readonly string[], after: string): number => {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (String(all[middle]) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};
