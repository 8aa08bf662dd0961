import type { ObjectStore } from '../../core/accounts/ports.ts';
import type { MovedObject, Placed, SectionOf } from './sections.ts';

/** Bytes of a page after which no further object comes into it: the memory is not for all of them at once. */
const PAGE_BYTES = 4_194_304;

/** The stored objects of any store as a section; what was left half stored stays behind. */
export const objectsSection = (objects: ObjectStore): SectionOf<MovedObject> => {
  let listing: Promise<readonly string[]> | undefined;

  const listed = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { path } of objects.list()) if (!isDraft(path)) found.push(path);
    return found.sort();
  };
  const paths = (): Promise<readonly string[]> => {
    listing ??= listed();
    return listing;
  };

  return {
    count: async () => (await paths()).length,
    read: async (after, limit) => {
      const all = await paths();
      const placed: Placed<MovedObject>[] = [];
      let length = 0;
      for (let place = after === null ? 0 : firstAfter(all, after); place < all.length; place += 1) {
        if (placed.length === limit || length > PAGE_BYTES) break;
        const path = String(all[place]);
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

const isDraft = (path: string): boolean => path.endsWith('.tmp');

/** Removes what an earlier attempt left half stored. */
const put = async (objects: ObjectStore, path: string, bytes: Uint8Array): Promise<void> => {
  if ((await objects.put(path, bytes)) || (await objects.find(path)) !== undefined) return;
  await objects.remove(path);
  await objects.put(path, bytes);
};

/** The place of the first that is greater, in an order. */
const firstAfter = (all: readonly string[], after: string): number => {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (String(all[middle]) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};
