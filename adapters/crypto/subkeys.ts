import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const SUBKEY_BYTES = 32;

/**
 * Derives subkeys with HKDF-SHA-256 (RFC 5869) from the configured hash keys: one for each purpose and key, in the
 * order of the keys, so that no value of one purpose is valid for another. Purposes are constants of the program, never
 * input, so the cache stays small. Throws `TypeError` when there is no key.
 */
export const makeSubkeys = (hashKeys: readonly Uint8Array[]) => {
  const [newest, ...older] = hashKeys;
  if (newest === undefined) throw new TypeError('At least one hash key is needed');
  const cache = new Map<string, Subkeys>();
  const derive = (key: Uint8Array, purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', `gatehouse/${purpose}`, SUBKEY_BYTES)));

  return (purpose: string): Subkeys => {
    const cached = cache.get(purpose);
    if (cached !== undefined) return cached;
    const subkeys: Subkeys = [derive(newest, purpose), ...older.map((key) => derive(key, purpose))];
    cache.set(purpose, subkeys);
    return subkeys;
  };
};

/** One for each live hash key, the newest first. */
export type Subkeys = readonly [KeyObject, ...KeyObject[]];
