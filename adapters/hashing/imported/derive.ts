import { pbkdf2Sync } from 'node:crypto';
import type { HashJob } from '../hash-job.ts';
import type { ImportedHashScheme } from './imported-hash.ts';

/** bcrypt uses the first 72 bytes. Other implementations truncate longer passwords, but the package rejects them. */
const BCRYPT_MOST_BYTES = 72;

/** Derives the key of a password by another product's algorithm. It blocks, so only the programs of hash runners call it. */
export const deriveImportedHash = async ({
  password,
  salt,
  length,
  scheme,
}: HashJob & { readonly scheme: ImportedHashScheme }): Promise<Uint8Array> => {
  const bytes = Buffer.from(password);
  if (scheme.kind === 'pbkdf2') return pbkdf2Sync(bytes, salt, scheme.iterations, length, scheme.digest);
  // The package throws for an empty password, which no product accepts. An empty key matches none.
  if (bytes.length === 0) return new Uint8Array();
  const { argon2d, argon2i, argon2id, bcrypt } = await import('hash-wasm');
  if (scheme.kind === 'bcrypt') {
    const cut = bytes.subarray(0, BCRYPT_MOST_BYTES);
    const key = await bcrypt({ password: cut, salt, costFactor: scheme.cost, outputType: 'binary' });
    // A stored hash leaves out the last of its 24 bytes.
    return key.subarray(0, length);
  }
  return { d: argon2d, i: argon2i, id: argon2id }[scheme.type]({
    password: bytes,
    salt,
    memorySize: scheme.memory,
    iterations: scheme.passes,
    parallelism: scheme.lanes,
    hashLength: length,
    outputType: 'binary',
  });
};
