/** Reads the value under a name, null if there is none; undefined where pages may not store anything. */
export const readStored = (name: string): string | null | undefined => {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
};

/** Keeps a value in this browser; null removes it. Without storage a choice lasts for this page. */
export const store = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Pages work without storage.
  }
};
