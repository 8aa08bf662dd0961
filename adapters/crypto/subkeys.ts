import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const SUBKEY_BYTES = 32;

/**
 * Derives subkeys with HKDF-SHA-256 (RFC 5869) from the configured hash keys: one for each purpose and key, in the
 * order of the keys, so that what one purpose made is nothing to another. Purposes are words of the program, never
 * input, so what is kept stays small. Throws `TypeError` when there is no key.
 */
export const makeSubkeys = (hashKeys: readonly Uint8Array[]) => {
  const [newest, ...older] = hashKeys;
  if (newest === undefined) throw new TypeError('At least one hash key is needed');
  const kept = new Map<string, Subkeys>();
  const derive = (key: Uint8Array, purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', `gatehouse/${purpose}`, SUBKEY_BYTES)));

  return (purpose: string): Subkeys => {
    const known = kept.get(purpose);
    if (known !== undefined) return known;
    const made: Subkeys = [derive(newest, purpose), ...older.map((key) => derive(key, purpose))];
    kept.set(purpose, made);
    return made;
  };
};

/** One for each live hash key, the newest first. */
export type Subkeys = readonly [KeyObject, ...KeyObject[]];
