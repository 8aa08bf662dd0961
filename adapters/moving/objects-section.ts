import type { ObjectStore } from '../../core/accounts/ports.ts';
import type { MovedObject, Placed, SectionOf } from './sections.ts';

/** The stored objects of any store as a section; what was left half stored stays behind. */
export const objectsSection = (objects: ObjectStore): SectionOf<MovedObject> => {
  let paths: readonly string[] | undefined;

  const listed = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { path } of objects.list()) found.push(path);
    return found.sort();
  };

  return {
    read: async (after, limit) => {
      paths ??= await listed();
      const placed: Placed<MovedObject>[] = [];
      for (const path of paths) {
        if (placed.length === limit) break;
        if (after !== null && path <= after) continue;
        const bytes = isDraft(path) ? undefined : await objects.find(path);
        if (bytes === undefined) continue;
        placed.push({ place: path, record: { path, bytes: Buffer.from(bytes).toString('base64') } });
      }
      return placed;
    },
    write: async (records) => {
      for (const { path, bytes } of records) await objects.put(path, Buffer.from(bytes, 'base64'));
    },
  };
};

const isDraft = (path: string): boolean => path.endsWith('.tmp');
