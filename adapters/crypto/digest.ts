import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Digest } from '../../core/ports.ts';
import { makeSubkeys } from './subkeys.ts';

const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** SHA-256 and HMAC-SHA-256 under subkeys of the hash keys, which are given newest first. */
export const makeDigest = (hashKeys: readonly Uint8Array[]): Digest => {
  const subkeys = makeSubkeys(hashKeys);
  const ofPurpose = (purpose: string) => subkeys(`digest/${purpose}`);

  return {
    // At once: an object for it costs twice as much.
    sha256: (text) => hash('sha256', text, 'base64url'),
    keyed: (purpose, text) => hmac(ofPurpose(purpose)[0], text),
    everyKeyed: (purpose, text) => ofPurpose(purpose).map((key) => hmac(key, text)),
    // Digests of both are compared: they are of one length, whatever the texts are.
    equal: (one, other) => timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer')),
  };
};
