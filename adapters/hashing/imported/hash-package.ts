import type { ImportedHash } from './imported-hash.ts';

/**
 * The package that verifies bcrypt and Argon2. Only an installation with imported users needs it, so it is optional. PBKDF2
 * and scrypt are in Node.js.
 */
export const HASH_PACKAGE = 'hash-wasm';

export const requiresPackage = ({ scheme }: ImportedHash): boolean => scheme.kind !== 'pbkdf2';

/** Looks the package up without loading it: only the programs of hash runners load it. */
export const isPackageInstalled = (): boolean => {
  try {
    import.meta.resolve(HASH_PACKAGE);
    return true;
  } catch {
    return false;
  }
};
