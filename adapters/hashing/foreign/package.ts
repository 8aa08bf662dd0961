import type { ForeignHash } from './foreign-hash.ts';

/**
 * Verifies bcrypt and Argon2. Only an installation with users from elsewhere needs it, so it is installed apart from the
 * others. PBKDF2 and scrypt are in Node.js.
 */
export const HASH_PACKAGE = 'hash-wasm';

export const needsPackage = ({ scheme }: ForeignHash): boolean => scheme.kind !== 'pbkdf2';

/** Looks it up without loading it: only the programs that hash load it. */
export const isPackageInstalled = (): boolean => {
  try {
    import.meta.resolve(HASH_PACKAGE);
    return true;
  } catch {
    return false;
  }
};
