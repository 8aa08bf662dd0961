import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Digest } from '../../core/ports.ts';
import { makeSubkeys } from './subkeys.ts';

const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** SHA-256 and HMAC-SHA-256 under subkeys of the hash keys, which are given newest first. */
export const makeDigest = (hashKeys: readonly Uint8Array[]): Digest => {
  const subkeys = makeSubkeys(hashKeys);
  const ofPurpose = (purpose: string) => subkeys(`digest/${purpose}`);

  return {
    // In one call: a hash object costs twice as much.
    sha256: (text) => hash('sha256', text, 'base64url'),
    keyed: (purpose, text) => hmac(ofPurpose(purpose)[0], text),
    everyKeyed: (purpose, text) => ofPurpose(purpose).map((key) => hmac(key, text)),
    // Digests are compared, since `timingSafeEqual` needs equal lengths.
    equal: (first, second) =>
      timingSafeEqual(hash('sha256', first, 'buffer'), hash('sha256', second, 'buffer')),
  };
};
