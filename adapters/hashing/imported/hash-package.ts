import type { ImportedHash } from './imported-hash.ts';

/** The package that verifies bcrypt and Argon2. Only an installation with imported users needs it, so it is optional. */
export const HASH_PACKAGE = 'hash-wasm';

/** PBKDF2 is in Node.js. */
export const requiresPackage = ({ scheme }: ImportedHash): boolean => scheme.kind !== 'pbkdf2';

/** Looks the package up without loading it: the first hash that needs it loads it. */
export const isPackageInstalled = (): boolean => {
  try {
    import.meta.resolve(HASH_PACKAGE);
    return true;
  } catch {
    return false;
  }
};
