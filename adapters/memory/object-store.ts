import type { ObjectStore } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';

// A folder and a file name, as in every other object store.
const USER = /^[\w-]{1,64}$/;
const OBJECT = /^[\w-]{1,64}\/[\w-]{1,64}\.[a-z]{1,8}$/;

const checked = (shape: RegExp, path: string): string => {
  if (typeof path !== 'string' || !shape.test(path)) throw new TypeError('Not a path of an object.');
  return path;
};

/** Objects in memory. */
export const makeMemoryObjects = (clock: Clock): ObjectStore => {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly storedAt: number }>();

  return {
    put: async (path, bytes) => {
      if (objects.has(checked(OBJECT, path))) return false;
      objects.set(path, { bytes: Uint8Array.from(bytes), storedAt: clock.now() });
      return true;
    },
    find: async (path) => {
      const found = objects.get(checked(OBJECT, path));
      return found && Uint8Array.from(found.bytes);
    },
    remove: async (path) => {
      objects.delete(checked(OBJECT, path));
    },
    removeAll: async (userId) => {
      const folder = `${checked(USER, userId)}/`;
      for (const path of objects.keys()) if (path.startsWith(folder)) objects.delete(path);
    },
    async *list() {
      for (const [path, { storedAt }] of [...objects]) yield { path, storedAt };
    },
  };
};
