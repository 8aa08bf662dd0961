import type { ObjectStore } from '../../core/accounts/ports.ts';
import { objectFolder, objectPath } from '../../core/accounts/safe-object-path.ts';
import type { Clock } from '../../core/ports.ts';

export const makeMemoryObjects = (clock: Clock): ObjectStore => {
  // By path. `objectPath` returns a path as it is, or throws.
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();

  return {
    put: async (path, bytes) => {
      if (objects.has(objectPath(path))) return false;
      objects.set(path, { bytes: Uint8Array.from(bytes), storedAt: clock.now() });
      return true;
    },
    find: async (path) => {
      const object = objects.get(objectPath(path));
      return object && Uint8Array.from(object.bytes);
    },
    remove: async (path) => {
      objects.delete(objectPath(path));
    },
    removeAll: async (userId) => {
      const folder = `${objectFolder(userId)}/`;
      for (const path of objects.keys()) if (path.startsWith(folder)) objects.delete(path);
    },
    async *list() {
      for (const [path, { storedAt }] of [...objects]) yield { path, storedAt };
    },
  };
};
