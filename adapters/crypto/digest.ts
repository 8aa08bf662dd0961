import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Digest } from '../../core/ports.ts';
import { makeSubkeys } from './subkeys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** SHA-256 and HMAC-SHA-256 under subkeys of the hash keys, which are given newest first. */
export const makeDigest = (hashKeys: readonly Uint8Array[]): Digest => {
  const subkeys = makeSubkeys(hashKeys);
  const ofPurpose = (purpose: string) => subkeys(`digest/${purpose}`);

  return {
    sha256: (text) => sha256(text).toString('base64url'),
    keyed: (purpose, text) => hmac(ofPurpose(purpose)[0], text),
    everyKeyed: (purpose, text) => ofPurpose(purpose).map((key) => hmac(key, text)),
    // Digests of both are compared: they are of one length, whatever the texts are.
    equal: (one, other) => timingSafeEqual(sha256(one), sha256(other)),
  };
};
