import type { Storage } from '../../../servers/client/index.ts';

/** A storage like that of a browser, with its items. */
export const makeStorage = (): Storage & { readonly items: ReadonlyMap<string, string> } => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  };
};
