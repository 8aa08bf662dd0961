import { pbkdf2Sync } from 'node:crypto';
import type { ForeignScheme } from './foreign-hash.ts';

export interface ForeignRun {
  readonly password: string;
  readonly salt: Uint8Array;
  /** Bytes of the key. */
  readonly length: number;
  readonly scheme: ForeignScheme;
}

/** All that bcrypt looks at. The package refuses more, where other implementations cut it off. */
const BCRYPT_MOST = 72;

/** The key of a password by another product's algorithm. It runs in the programs that hash alone. */
export const deriveForeign = async ({ password, salt, length, scheme }: ForeignRun): Promise<Uint8Array> => {
  const bytes = Buffer.from(password);
  if (scheme.kind === 'pbkdf2') return pbkdf2Sync(bytes, salt, scheme.iterations, length, scheme.digest);
  // The package throws for an empty password, and no product takes one.
  if (bytes.length === 0) return new Uint8Array();
  const { argon2d, argon2i, argon2id, bcrypt } = await import('hash-wasm');
  if (scheme.kind === 'bcrypt') {
    const cut = bytes.subarray(0, BCRYPT_MOST);
    const key = await bcrypt({ password: cut, salt, costFactor: scheme.cost, outputType: 'binary' });
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
